//! The server behind `org.freedesktop.Notifications`, as a desktop has one.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;
use zbus::zvariant::OwnedValue;

/// Takes the well-known name on the bus at `address` and serves until the process is killed. Prints `ready`, then a
/// line of JSON for every notification.
///
/// # Errors
/// When the bus cannot be reached or somebody else has the name.
pub async fn serve(address: &str, hangs: bool) -> zbus::Result<()> {
    let _connection = zbus::connection::Builder::address(address)?
        .name("org.freedesktop.Notifications")?
        .serve_at("/org/freedesktop/Notifications", Notifications { hangs, shown: 0 })?
        .build()
        .await?;
    say("ready");
    std::future::pending().await
}

struct Notifications {
    hangs: bool,
    shown: u32,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    #[expect(clippy::too_many_arguments, reason = "the protocol says so")]
    async fn notify(
        &mut self,
        app_name: String,
        replaces_id: u32,
        app_icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        hints: HashMap<String, OwnedValue>,
        expire_timeout: i32,
    ) -> u32 {
        let urgency = hints.get("urgency").and_then(|value| u8::try_from(value.clone()).ok());
        let note = json!({"app_name": app_name, "replaces_id": replaces_id, "app_icon": app_icon, "summary": summary, "body": body,
            "actions": actions, "urgency": urgency, "expire_timeout": expire_timeout});
        say(&note.to_string());
        if self.hangs {
            std::future::pending::<()>().await;
        }
        self.shown += 1;
        self.shown
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec!["body".to_owned(), "body-markup".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("sim".to_owned(), "hadal".to_owned(), "1".to_owned(), "1.2".to_owned())
    }

    fn close_notification(&self, _id: u32) {}
}

fn say(line: &str) {
    let mut stdout = io::stdout().lock();
    let _nobody_listens = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}
