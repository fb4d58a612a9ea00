//! Start-up and idle memory of `hadal serve`, next to a bare rmcp server built the same way.

use std::time::Duration;

use crate::Ground;
use crate::figures::Figure;
use crate::server::{Program, Server};

/// How long a server is left alone before its memory is read.
const SETTLE: Duration = Duration::from_millis(500);

/// What was seen of one server.
#[derive(Default)]
struct Seen {
    initialize: Vec<f64>,
    tools: Vec<f64>,
    cpu: Vec<f64>,
    rss: Vec<f64>,
}

pub(crate) fn measure(Ground { effort, programs, home }: Ground<'_>) -> Result<Vec<Figure>, String> {
    let programs = [
        Program { name: "hadal serve", path: &programs.shipped, args: &["serve"], home },
        Program { name: "bare rmcp", path: &programs.bare, args: &[], home },
    ];
    let mut seen = [Seen::default(), Seen::default()];
    // The first start of each fills the page cache and makes the data directory; it does not count.
    for round in 0..=effort.starts {
        // Interleaved, so that a busy moment of the machine hits both.
        for (program, seen) in programs.iter().zip(&mut seen) {
            let mut fresh = Seen::default();
            once(program, &mut fresh).map_err(|error| format!("`{}`: {error}", program.name))?;
            if round > 0 {
                seen.add(fresh);
            }
        }
    }
    for (program, seen) in programs.iter().zip(&mut seen) {
        idle(program, seen)?;
    }
    Ok(report(&programs, &seen))
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.initialize.extend(other.initialize);
        self.tools.extend(other.tools);
        self.cpu.extend(other.cpu);
    }
}

fn once(program: &Program<'_>, seen: &mut Seen) -> Result<(), String> {
    let mut server = Server::start(program)?;
    let [initialize, tools] = server.greet()?;
    seen.cpu.extend(server.cpu_ms());
    seen.initialize.push(initialize);
    seen.tools.push(tools);
    Ok(())
}

fn idle(program: &Program<'_>, seen: &mut Seen) -> Result<(), String> {
    let mut server = Server::start(program)?;
    server.greet()?;
    std::thread::sleep(SETTLE);
    seen.rss.extend(server.rss_mb());
    Ok(())
}

fn report(programs: &[Program<'_>; 2], [hadal, bare]: &[Seen; 2]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (program, seen) in programs.iter().zip([hadal, bare]) {
        let figure =
            |what: &str, unit: &str, samples: &[f64]| Figure::of(&format!("{}: {what}", program.name), unit, samples);
        figures.push(figure("spawn to `initialize`", "ms", &seen.initialize));
        figures.push(figure("spawn to `tools/list`", "ms", &seen.tools));
        figures.push(figure("CPU to `tools/list`", "ms", &seen.cpu));
        figures.push(figure("memory when idle", "MB", &seen.rss));
    }
    let ratio = Figure::of("", "", &hadal.tools).p50 / Figure::of("", "", &bare.tools).p50;
    figures.push(Figure::of("start-up, hadal to bare", "×", &[ratio]).at_most(3.0));
    // Without `/proc` there are no samples, and a figure of nothing says NaN and misses its target.
    for (name, most) in [("hadal serve: CPU to `tools/list`", 15.0), ("hadal serve: memory when idle", 25.0)] {
        if let Some(figure) = figures.iter_mut().find(|figure| figure.name == name) {
            *figure = figure.clone().at_most(most);
        }
    }
    figures
}
