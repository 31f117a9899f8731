//! The files of an action as a Merkle tree: what a worker puts into a directory before it runs the action.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Digest, Directory, DirectoryNode, FileNode, SymlinkNode,
};
use prost::Message;
use sha2::{Digest as _, Sha256};

/// Bytes and their digest, to be uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blob {
    pub digest: Digest,
    pub bytes: Arc<[u8]>,
}

impl Blob {
    /// The blob of these bytes.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Blob {
        let bytes = bytes.into();
        Blob {
            digest: compute_digest(&bytes),
            bytes,
        }
    }

    /// The blob of a message in its canonical form.
    pub fn from_message(message: &impl Message) -> Blob {
        Blob::from_bytes(message.encode_to_vec())
    }
}

/// SHA-256 and the length.
fn compute_digest(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes);
    Digest {
        hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        size_bytes: bytes.len() as i64,
    }
}

/// Why a file cannot be sent.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TreeError {
    /// The protocol has names in UTF-8 only.
    #[error("its name is not UTF-8, and a farm knows no other names")]
    NotUtf8,
    /// It leads out of the tree, or has no name.
    #[error("its path leads out of the directory of the test")]
    Outside,
    /// A file and a directory have the same name.
    #[error("two files have the same name")]
    Clash,
}

/// A directory that is being filled.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectoryTree {
    entries: BTreeMap<String, TreeEntry>,
}

#[derive(Clone, Debug)]
enum TreeEntry {
    File { blob: Blob, is_executable: bool },
    Link(String),
    Directory(DirectoryTree),
    Packed(PackedTree),
}

/// A directory with the blobs of all that is in it, its own last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackedTree {
    pub digest: Digest,
    pub blobs: Vec<Blob>,
}

impl DirectoryTree {
    /// Puts a file at this relative path.
    pub fn add_file(
        &mut self,
        path: &Path,
        bytes: Arc<[u8]>,
        is_executable: bool,
    ) -> Result<(), TreeError> {
        let blob = Blob::from_bytes(bytes);
        self.add_entry(
            path,
            TreeEntry::File {
                blob,
                is_executable,
            },
        )
    }

    /// Puts a symbolic link at this relative path.
    pub fn add_link(&mut self, path: &Path, target: &Path) -> Result<(), TreeError> {
        let target = target.to_str().ok_or(TreeError::NotUtf8)?;
        self.add_entry(path, TreeEntry::Link(target.to_owned()))
    }

    /// Puts a directory that is complete at this relative path.
    pub fn add_packed(&mut self, path: &Path, tree: PackedTree) -> Result<(), TreeError> {
        self.add_entry(path, TreeEntry::Packed(tree))
    }

    /// Makes a directory at this relative path, which may be there.
    pub fn add_directory(&mut self, path: &Path) -> Result<&mut DirectoryTree, TreeError> {
        let mut tree = self;
        for part in path.components() {
            let Component::Normal(name) = part else {
                return Err(TreeError::Outside);
            };
            let name = name.to_str().ok_or(TreeError::NotUtf8)?;
            let next = tree.entries.entry(name.to_owned());
            let next = next.or_insert_with(|| TreeEntry::Directory(DirectoryTree::default()));
            let TreeEntry::Directory(next) = next else {
                return Err(TreeError::Clash);
            };
            tree = next;
        }
        Ok(tree)
    }

    fn add_entry(&mut self, path: &Path, entry: TreeEntry) -> Result<(), TreeError> {
        let name = path.file_name().ok_or(TreeError::Outside)?;
        let name = name.to_str().ok_or(TreeError::NotUtf8)?;
        let parent = self.add_directory(path.parent().unwrap_or(Path::new("")))?;
        match parent.entries.insert(name.to_owned(), entry) {
            None => Ok(()),
            Some(_) => Err(TreeError::Clash),
        }
    }

    /// The digest of the directory, and all blobs below it. The names of its entries are in order, as the protocol wants them.
    pub fn pack(self) -> PackedTree {
        let mut directory = Directory::default();
        let mut blobs = Vec::new();
        for (name, entry) in self.entries {
            match entry {
                TreeEntry::File {
                    blob,
                    is_executable,
                } => {
                    directory.files.push(FileNode {
                        name,
                        digest: Some(blob.digest.clone()),
                        is_executable,
                        node_properties: None,
                    });
                    blobs.push(blob);
                }
                TreeEntry::Link(target) => directory.symlinks.push(SymlinkNode {
                    name,
                    target,
                    node_properties: None,
                }),
                TreeEntry::Directory(tree) => {
                    pack_below(name, tree.pack(), &mut directory, &mut blobs)
                }
                TreeEntry::Packed(tree) => pack_below(name, tree, &mut directory, &mut blobs),
            }
        }
        let own = Blob::from_message(&directory);
        let digest = own.digest.clone();
        blobs.push(own);
        PackedTree { digest, blobs }
    }
}

/// Puts a complete directory of this name into another.
fn pack_below(name: String, tree: PackedTree, directory: &mut Directory, blobs: &mut Vec<Blob>) {
    directory.directories.push(DirectoryNode {
        name,
        digest: Some(tree.digest),
    });
    blobs.extend(tree.blobs);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Result<DirectoryTree, TreeError> {
        let mut tree = DirectoryTree::default();
        for (path, text) in files {
            tree.add_file(Path::new(path), text.as_bytes().into(), false)?;
        }
        Ok(tree)
    }

    #[test]
    fn a_digest_is_sha_256_and_the_length() {
        let blob = Blob::from_bytes(*b"abc");
        assert_eq!(
            blob.digest.hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(blob.digest.size_bytes, 3);
    }

    #[test]
    fn the_order_in_which_files_are_added_does_not_matter() {
        let one = tree(&[("w/a.c", "a"), ("w/b/c.c", "c"), ("t/test", "t")]);
        let other = tree(&[("t/test", "t"), ("w/b/c.c", "c"), ("w/a.c", "a")]);
        assert_eq!(one.expect("a tree").pack(), other.expect("a tree").pack());
    }

    #[test]
    fn every_file_and_every_directory_is_a_blob() {
        let packed = tree(&[("w/a.c", "a"), ("w/b/c.c", "c")])
            .expect("a tree")
            .pack();
        assert_eq!(packed.blobs.len(), 5, "two files, b, w and the root");
        let root = packed.blobs.last().expect("the root");
        assert_eq!(root.digest, packed.digest);
        let root = Directory::decode(&root.bytes[..]).expect("a directory");
        assert_eq!(root.directories[0].name, "w");
    }

    #[test]
    fn a_part_that_is_packed_before_makes_the_same_tree() {
        let whole = tree(&[("t/test", "t"), ("w/a.c", "a")]).expect("a tree");
        let part = tree(&[("test", "t")]).expect("a tree").pack();
        let mut joined = tree(&[("w/a.c", "a")]).expect("a tree");
        joined.add_packed(Path::new("t"), part).expect("its place");
        assert_eq!(joined.pack(), whole.pack());
    }

    #[test]
    fn what_cannot_be_sent_is_refused() {
        assert_eq!(tree(&[("../a", "")]).err(), Some(TreeError::Outside));
        assert_eq!(tree(&[("/a", "")]).err(), Some(TreeError::Outside));
        assert_eq!(tree(&[("a", ""), ("a", "")]).err(), Some(TreeError::Clash));
        assert_eq!(
            tree(&[("a", ""), ("a/b", "")]).err(),
            Some(TreeError::Clash)
        );
    }
}
