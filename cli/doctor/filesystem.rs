//! The file system that the mailbox is on. SQLite's shared memory and locks do not hold on
//! every one.

use std::path::Path;

use super::Finding;

/// Whether several processes can share a database on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Holds,
    Fails,
}
use Sharing::{Fails, Holds};

/// By the numbers of statfs(2).
const FILE_SYSTEMS: [(i64, &str, Sharing); 15] = [
    (0xef53, "ext4", Holds),
    (0x9123_683e, "Btrfs", Holds),
    (0x5846_5342, "XFS", Holds),
    (0x2fc1_2fc1, "ZFS", Holds),
    (0xf2f5_2010, "F2FS", Holds),
    (0xca45_1a4e, "bcachefs", Holds),
    (0x0102_1994, "tmpfs, which a restart empties", Holds),
    (0x794c_7630, "overlayfs", Holds),
    (0x4d44, "FAT", Holds),
    (0x6969, "NFS", Fails),
    (0x517b, "SMB", Fails),
    (0xff53_4d42, "CIFS", Fails),
    (0xfe53_4d42, "SMB2", Fails),
    (0x0102_1997, "9P, as WSL mounts Windows drives", Fails),
    (0x6573_5546, "FUSE", Fails),
];

/// Names the file system of the folder.
pub(crate) fn check(folder: &Path) -> Option<Finding> {
    #[allow(clippy::useless_conversion, reason = "its width differs between platforms")]
    let kind = i64::try_from(rustix::fs::statfs(folder).ok()?.f_type).ok()? & 0xffff_ffff;
    let known = FILE_SYSTEMS.iter().find(|(number, ..)| *number == kind);
    let shown = folder.display();
    Some(match known {
        Some((_, name, Holds)) => Finding::fine("filesystem", format!("{shown} is on {name}")),
        Some((_, name, Fails)) => Finding::wrong(
            "filesystem",
            format!("{shown} is on {name}, where several processes cannot share a database"),
            "move the folder to a local disk and set MAILSTOP_HOME to it, for every client and shell",
        ),
        None => Finding::fine(
            "filesystem",
            format!("{shown} is on a file system of type {kind:#x}, of which nothing bad is known"),
        ),
    })
}
