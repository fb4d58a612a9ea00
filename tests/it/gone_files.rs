//! A folder in which files come and go is answered from as one that always was as it is now.

use crate::cli::Home;

/// LB-02: what is answered depends on the files that are there, and not on those that were.
#[test]
fn files_that_are_gone_do_not_change_the_answer() {
    let bulletins = [
        ("b2025.txt", "League bulletin, April 2025\n\nThe cup final is at Mill Lane on 24 May.\n"),
        (
            "b2026.txt",
            "League bulletin, April 2026\n\nBen Adler is banned for three matches after his second red card on 28 March.\nThe match Comets \
             against Rovers is moved because the ground is under water.\nThe cup final is at Harbour Park on 30 May at 16:00. Tickets \
             cost 6 euros.\n",
        ),
        ("n0.md", "# Note 0\n\nThe market in A is open since 2026.\n"),
        ("n1.md", "# Note 1\n\nMass at church B is read since 2026.\n"),
    ];
    let home = Home::new();
    let folder = home.0.path().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in bulletins {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let ask = |home: &Home| {
        let folder = folder.to_str().unwrap();
        let done = home.run(&["ask", "--json", "--library", folder, "When is the cup final in 2026?"]);
        let reply = done.json();
        (reply["result"].clone(), reply["metadata"]["explain"].clone())
    };
    let fresh = ask(&home);
    let other = Home::new();
    std::fs::write(folder.join("n2.md"), "# Note 2\n\nThe bus C does not run since 2026.\n").unwrap();
    let with_another = ask(&other);
    std::fs::remove_file(folder.join("n2.md")).unwrap();
    assert_eq!(ask(&other), fresh);
    assert_ne!(with_another, fresh, "one more file with a word of the question counts");
}
