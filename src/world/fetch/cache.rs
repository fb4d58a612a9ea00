//! FetchReply pages on disk, for all processes of a data directory.
//!
//! A record per address (`records/ab/….json`) names a body by its hash (`bodies/ab/….zst`). Both are written under a temporary
//! name and renamed, so that a reader sees all or nothing; a record whose body is gone or damaged is none. Nobody waits for a
//! lock: only clearing away is done by one process at a time. Nothing here is precious, so a fault of the disk is a miss.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Hop, Page};
use crate::core::base::limits;
use crate::core::web::headers;
use crate::world::{clock, private, random};

/// zstd's default level.
const LEVEL: i32 = 3;
/// After clearing away, this share of the room is in use.
const KEPT_PERCENT: u64 = 80;

#[derive(Clone, Debug)]
pub(super) struct Cache {
    pub(super) dir: Arc<PathBuf>,
    most_bytes: u64,
    /// Pages kept since the room was last measured. It begins high: nobody knows what is there.
    unmeasured: Arc<AtomicU64>,
}

/// A page with what the cache wants to know of it.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) page: Page,
    pub(super) cache_control: Option<String>,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

/// A page that was fetched before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) url: String,
    pub(super) final_url: String,
    status: u16,
    content_type: Option<String>,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    hops: Vec<Hop>,
    /// Milliseconds since 1970.
    pub(super) fetched_at: i64,
    fresh_until: i64,
    /// The SHA-256 of the body, and its size.
    pub(super) hash: String,
    bytes: usize,
    #[serde(skip)]
    pub(super) body: Vec<u8>,
}

impl Kept {
    pub(super) fn is_fresh(&self) -> bool {
        let now = clock::now_ms();
        // A record from the future was written under a wrong clock.
        self.fetched_at <= now && now < self.fresh_until
    }

    pub(super) fn page(&self) -> Page {
        Page {
            url: self.url.clone(),
            final_url: self.final_url.clone(),
            status: self.status,
            content_type: self.content_type.clone(),
            bytes: self.body.clone(),
            from_cache: true,
            hops: self.hops.clone(),
        }
    }
}

impl Cache {
    pub(super) fn new(dir: PathBuf, most_bytes: u64) -> Self {
        let unmeasured = Arc::new(AtomicU64::new(limits::FETCH_CACHE_LOOK));
        Self { dir: Arc::new(dir), most_bytes, unmeasured }
    }

    /// The page that was kept for an address, fresh or not.
    pub(super) async fn load(&self, url: &str) -> Option<Kept> {
        let (cache, url) = (self.clone(), url.to_owned());
        tokio::task::spawn_blocking(move || cache.read(&url)).await.ok().flatten()
    }

    /// Keeps a page unless it forbids that.
    pub(super) async fn store(&self, url: &str, walked: &Walked) {
        let Some(fresh) = headers::fresh_for(walked.cache_control.as_deref()) else { return };
        let page = &walked.page;
        let now = clock::now_ms();
        let kept = Kept {
            url: url.to_owned(),
            final_url: page.final_url.clone(),
            status: page.status,
            content_type: page.content_type.clone(),
            etag: walked.etag.clone(),
            last_modified: walked.last_modified.clone(),
            hops: page.hops.clone(),
            fetched_at: now,
            fresh_until: now.saturating_add(i64::try_from(fresh.as_millis()).unwrap_or(i64::MAX)),
            hash: hex(&page.bytes),
            bytes: page.bytes.len(),
            body: page.bytes.clone(),
        };
        let cache = self.clone();
        // A page that could not be kept is fetched again; that is all.
        let _nothing_is_lost = tokio::task::spawn_blocking(move || cache.write(&kept)).await;
    }

    /// Where the pages of a data directory are kept.
    pub(super) fn below(data_dir: &Path) -> PathBuf {
        data_dir.join("pages")
    }

    /// A record without its body.
    pub(super) fn record_at(&self, path: &Path) -> Option<Kept> {
        serde_json::from_slice(&read_file(path, limits::FETCH_RECORD_BYTES)?).ok()
    }

    fn read(&self, url: &str) -> Option<Kept> {
        let mut kept = self.record_at(&self.record(url))?;
        let most = kept.bytes.min(limits::PAGE_BYTES);
        let packed = read_file(&self.body(&kept.hash)?, limits::PAGE_BYTES as u64)?;
        kept.body = zstd::bulk::decompress(&packed, most).ok()?;
        (kept.url == url && hex(&kept.body) == kept.hash).then_some(kept)
    }

    fn write(&self, kept: &Kept) -> Option<()> {
        let packed = zstd::bulk::compress(&kept.body, LEVEL).ok()?;
        if packed.len() as u64 > self.most_bytes / 4 {
            return None;
        }
        self.place(&self.body(&kept.hash)?, &packed)?;
        self.place(&self.record(&kept.url), &serde_json::to_vec(kept).ok()?)?;
        if self.unmeasured.fetch_add(1, Ordering::Relaxed) >= limits::FETCH_CACHE_LOOK {
            self.unmeasured.store(0, Ordering::Relaxed);
            self.clear_away();
        }
        Some(())
    }

    fn record(&self, url: &str) -> PathBuf {
        let name = hex(url.as_bytes());
        self.dir.join("records").join(name.get(..2).unwrap_or_default()).join(format!("{name}.json"))
    }

    pub(super) fn body(&self, hash: &str) -> Option<PathBuf> {
        let plain = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let folder = hash.get(..2).filter(|_| plain)?;
        Some(self.dir.join("bodies").join(folder).join(format!("{hash}.zst")))
    }

    /// Writes a file whole or not at all. What is there is replaced; equal names have equal content or the newer one counts.
    fn place(&self, path: &Path, bytes: &[u8]) -> Option<()> {
        let folder = path.parent()?;
        private::folder(folder).ok()?;
        let temporary = folder.join(format!(".{:032x}.tmp", random::bits128()));
        let written = private::new_file().create_new(true).open(&temporary).and_then(|mut file| file.write_all(bytes));
        let placed = written.and_then(|()| fs::rename(&temporary, path));
        if placed.is_err() {
            let _nothing_was_written = fs::remove_file(&temporary);
        }
        placed.ok()
    }

    /// Removes the oldest files until there is room again, unless another process is doing so.
    fn clear_away(&self) -> Option<()> {
        let lock = private::new_file().truncate(false).open(self.dir.join("lock")).ok()?;
        lock.try_lock().ok()?;
        let mut files: Vec<(std::time::SystemTime, u64, PathBuf)> = walkdir::WalkDir::new(self.dir.as_path())
            .min_depth(3)
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
                Some((metadata.modified().ok()?, metadata.len(), entry.into_path()))
            })
            .collect();
        let mut used: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        if used > self.most_bytes {
            files.sort();
            for (_, bytes, path) in files {
                if used <= self.most_bytes / 100 * KEPT_PERCENT {
                    break;
                }
                if fs::remove_file(path).is_ok() {
                    used -= bytes;
                }
            }
        }
        Some(())
    }
}

fn read_file(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
