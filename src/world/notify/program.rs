//! Desktops that are told by running a program of theirs. No IO.
//!
//! The text of a note is never part of a script: a question with a quote in it would end the string and begin a command.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::core::base::limits;
use crate::world::process::{Command, Limits};

/// The text comes as arguments. Options end at the first that is none: the title, which is ours.
const APPLE_SCRIPT: [&str; 3] =
    ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];

/// The text comes as variables and goes into the tree of the notification as text. Only a known program may show one;
/// the long name is that of PowerShell itself.
const POWER_SHELL: &str = r"$ErrorActionPreference = 'Stop'
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent('ToastText02')
$texts = $toast.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($toast.CreateTextNode($env:NOTE_TITLE))
$null = $texts.Item(1).AppendChild($toast.CreateTextNode($env:NOTE_BODY))
$shower = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($shower).Show([Windows.UI.Notifications.ToastNotification]::new($toast))";

/// How macOS is told.
pub(super) fn osascript(title: &str, body: &str) -> Command {
    let script = APPLE_SCRIPT.iter().flat_map(|line| ["-e", line]);
    command("/usr/bin/osascript", script.chain([title, body]), [])
}

/// How Windows is told.
pub(super) fn powershell(title: &str, body: &str) -> Command {
    let args = ["-NoProfile", "-NonInteractive", "-Command", POWER_SHELL];
    let env = [("SystemRoot", r"C:\Windows"), ("NOTE_TITLE", title), ("NOTE_BODY", body)];
    command(r"C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe", args, env)
}

fn command<'a, const N: usize>(
    program: &str,
    args: impl IntoIterator<Item = &'a str>,
    env: [(&str, &str); N],
) -> Command {
    Command {
        program: PathBuf::from(program),
        args: args.into_iter().map(OsString::from).collect(),
        env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        cwd: PathBuf::from("/"),
        stdin: Vec::new(),
        limits: Limits {
            idle: limits::NOTIFY,
            total: limits::NOTIFY,
            stdout_bytes: limits::BUS_MESSAGE_BYTES as u64,
            stderr_kept: limits::BUS_LINE_BYTES,
            line_bytes: limits::BUS_LINE_BYTES,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: &str = "Research completed";
    const BODY: &str = "\"; do shell script \"true\" $(true) 'x' -e & %PATH%";

    #[test]
    fn the_text_is_in_no_script() {
        let mac = osascript(TITLE, BODY);
        let (text, script) = mac.args.split_last_chunk::<2>().map(|(script, text)| (text, script)).unwrap();
        assert_eq!(text, &[OsString::from(TITLE), OsString::from(BODY)]);
        assert_eq!(script.len(), 2 * APPLE_SCRIPT.len());
        assert_eq!(script, osascript("another", "text").args.split_last_chunk::<2>().unwrap().0);
        let windows = powershell(TITLE, BODY);
        assert_eq!(windows.args, powershell("another", "text").args);
        assert!(windows.env.contains(&("NOTE_BODY".into(), BODY.into())));
        assert!(windows.env.contains(&("NOTE_TITLE".into(), TITLE.into())));
    }
}
