//! Log messages for sessions that ask for them: how tasks ended. The newest revision has none.

#![expect(deprecated, reason = "sessions of the older revisions have log messages")]

use std::sync::atomic::{AtomicU8, Ordering};

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::Peer;
use serde_json::json;

use crate::core::base::id::TaskId;
use crate::core::task::Status;

/// The least important message that a session wants, counted from 1; 0 until it says so.
#[derive(Default)]
pub(super) struct LogLevel(AtomicU8);

impl LogLevel {
    pub(super) fn set(&self, level: LoggingLevel) {
        self.0.store(rank(level), Ordering::Relaxed);
    }

    /// Says how a task ended, if that is important enough.
    pub(super) async fn ended(&self, peer: &Peer<RoleServer>, id: TaskId, status: Status) {
        let level = if status == Status::Failed { LoggingLevel::Warning } else { LoggingLevel::Info };
        let least = self.0.load(Ordering::Relaxed);
        if least > 0 && rank(level) >= least {
            let message = LoggingMessageNotificationParam::new(level, json!(format!("task {id}: {}", status.name())));
            let _nobody_listens = peer.notify_logging_message(message.with_logger("hadal")).await;
        }
    }
}

/// From the least important.
fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 1,
        LoggingLevel::Info => 2,
        LoggingLevel::Notice => 3,
        LoggingLevel::Warning => 4,
        LoggingLevel::Error => 5,
        LoggingLevel::Critical => 6,
        LoggingLevel::Alert => 7,
        LoggingLevel::Emergency => 8,
    }
}
