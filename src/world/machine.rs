//! Facts about this machine, for `hadal doctor` and the ladder of engines. It looks and changes nothing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The program of this name that a shell would start.
pub(crate) fn find_program(search_path: &OsStr, name: &str) -> Option<PathBuf> {
    // A relative entry would make the answer depend on where hadal was started; the process gate ignores it too.
    std::env::split_paths(search_path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The kind of file system below `dir` when it is one on which SQLite's write-ahead log cannot be trusted.
pub(crate) fn shared_file_system(dir: &Path) -> Option<&'static str> {
    #[cfg(target_os = "linux")]
    {
        // Numbers of the kernel's `linux/magic.h` and, for CIFS and SMB 2, of their sources.
        let kind = u64::try_from(rustix::fs::statfs(dir).ok()?.f_type).ok()? & 0xffff_ffff;
        match kind {
            0x6969 => Some("NFS"),
            0x517b | 0xff53_4d42 | 0xfe53_4d42 => Some("SMB"),
            0x6573_5546 => Some("FUSE"),
            0x0102_1997 => Some("9P"),
            _ => None,
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _unknown_here = dir;
        None
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_programs_of_absolute_folders_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gemini");
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        let search = std::env::join_paths([Path::new("relative"), dir.path()]).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(find_program(&search, "gemini"), None);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_program(&search, "gemini"), Some(path));
        assert_eq!(find_program(OsStr::new(""), "gemini"), None);
    }
}
