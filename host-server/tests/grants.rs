//! Nothing that was not granted is reached: every call that takes a path, with every way out that a path can try; links that change under
//! the server's eyes; and what a refusal looks like to the program and to its user.

mod peer;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use peer::{Device, folder};

/// A granted folder `in`, known as `/data`, beside a folder `out` that is not.
struct Cage {
    device: Device,
    root: PathBuf,
}

impl Cage {
    fn new(name: &str) -> Self {
        let root = folder(&format!("grants-{name}"));
        for folder in ["in/inner/deep", "out/folder"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("in/file"), "inside").unwrap();
        fs::write(root.join("out/secret"), "secret").unwrap();
        let links = [
            ("../out", "in/up"),
            ("../out/secret", "in/file-up"),
            ("../../out", "in/inner/up"),
            ("up", "in/chain"),
            ("/", "in/root"),
            ("/proc/self/root", "in/proc"),
            ("../out/made", "in/dangling"),
        ];
        for (to, link) in links {
            symlink(to, root.join(link)).unwrap();
        }
        symlink(root.join("out"), root.join("in/absolute")).unwrap();
        let mut grants = Grants::none();
        grants.directory(&root.join("in"), Some(Path::new("/data"))).unwrap();
        let device = Device::new(2, 1, RecordingHost::default(), Services::new(grants).registry());
        Self { device, root }
    }

    /// Ways that lead to `out`, each as the program would write it.
    fn ways_out(&self) -> Vec<String> {
        let out = self.root.join("out");
        let out = out.to_str().unwrap();
        let mut ways: Vec<String> = [
            "/data/../out",
            "/data/../in/../out",
            "/data/inner/../../out",
            "/data/inner/deep/../../../out",
            "/data/inner/./..//../out",
            "/data/up",
            "/data/./up",
            "/data/inner/up",
            "/data/inner/../up",
            "/data/chain",
            "/data/absolute",
            "/../data/up",
        ]
        .map(String::from)
        .into();
        ways.push(out.to_owned());
        ways.extend(["root", "proc"].map(|link| format!("/data/{link}{out}")));
        ways
    }

    /// What a call answers to a path, and to a second one where it takes two.
    fn call(&self, opcode: Opcode, option: u64, path: &str, second: &str) -> i64 {
        let mut call = self.device.open(0, opcode, 1);
        let with_nul = |path: &str| format!("{path}\0").into_bytes();
        match opcode {
            Opcode::OPEN_FILE => call.send_n(&[with_nul(path)]).send_words(|_| [option]),
            Opcode::REMOVE => call.send_n(&[with_nul(path)]),
            Opcode::RENAME => call.send_n(&[with_nul(path)]).send_n(&[with_nul(second)]),
            Opcode::FS_OPEN_DIR => call.send_n(&[path]),
            Opcode::FS_RENAME | Opcode::FS_COPY => call.send_n(&[path]).send_n(&[second]),
            Opcode::FS_OPEN | Opcode::FS_METADATA | Opcode::FS_CREATE_DIR | Opcode::FS_REMOVE => {
                call.send_n(&[[&option.to_le_bytes(), path.as_bytes()].concat()])
            }
            other => unreachable!("{other} takes no path"),
        };
        call.recv_word()[0] as i64
    }

    /// Everything in `out`: names and contents.
    fn outside(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut seen = BTreeMap::new();
        let mut folders = vec![self.root.join("out")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                seen.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
        seen
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Every call that takes a path, with what else it is told: modes, options, what to remove.
const CALLS: &[(Opcode, &[u64])] = &[
    (
        Opcode::OPEN_FILE,
        &[b'r' as u64, b'w' as u64, b'a' as u64, u16::from_le_bytes(*b"r+") as u64],
    ),
    (Opcode::REMOVE, &[0]),
    (Opcode::RENAME, &[0]),
    (Opcode::FS_OPEN, &[1, 2, 3, 4, 2 | 8, 2 | 16, 2 | 32]),
    (Opcode::FS_METADATA, &[0, 1]),
    (Opcode::FS_CREATE_DIR, &[0, 1]),
    (Opcode::FS_REMOVE, &[0, 1, 2]),
    (Opcode::FS_RENAME, &[0]),
    (Opcode::FS_COPY, &[0]),
    (Opcode::FS_OPEN_DIR, &[0]),
];

/// Whether an answer says that nothing was done. Class `c` has 0 for no file, and else -1; class `r` an error below 0.
fn refused(opcode: Opcode, answer: i64) -> bool {
    match opcode {
        Opcode::OPEN_FILE => answer == 0,
        _ => answer < 0,
    }
}

#[test]
fn no_path_leads_out_of_any_call() {
    let cage = Cage::new("paths");
    let before = cage.outside();
    let mut tried = 0;
    for (opcode, options) in CALLS {
        for way in cage.ways_out() {
            for target in ["/secret", "/folder", "/new", "/folder/new"] {
                let path = way.clone() + target;
                for &option in *options {
                    let answer = cage.call(*opcode, option, &path, "/data/taken");
                    assert!(refused(*opcode, answer), "{opcode} {option} {path}: {answer}");
                    // As the second path, too.
                    let answer = cage.call(*opcode, option, "/data/nothing", &path);
                    if matches!(*opcode, Opcode::RENAME | Opcode::FS_RENAME | Opcode::FS_COPY) {
                        assert!(refused(*opcode, answer), "{opcode} to {path}: {answer}");
                        let answer = cage.call(*opcode, option, "/data/file", &path);
                        assert!(refused(*opcode, answer), "{opcode} to {path}: {answer}");
                    }
                    tried += 1;
                }
            }
        }
        assert_eq!(cage.outside(), before, "{opcode} has changed what lies outside");
    }
    assert!(tried > 1000);
    assert_eq!(fs::read_to_string(cage.root.join("in/file")).unwrap(), "inside");
    assert!(!cage.root.join("in/taken").exists());
    // Links themselves are names like others: what they lead to stays.
    for link in ["file-up", "up", "dangling"] {
        assert_eq!(cage.call(Opcode::FS_REMOVE, 0, &format!("/data/{link}"), ""), 0);
    }
    assert_eq!(cage.call(Opcode::FS_RENAME, 0, "/data/chain", "/data/inner/chain"), 0);
    assert_eq!(cage.outside(), before);
}

#[test]
fn a_link_at_the_end_of_a_path_is_not_followed_out() {
    let cage = Cage::new("links");
    let before = cage.outside();
    for (opcode, options) in CALLS {
        // Removing or renaming such a link is right, and not followed; a name that is there is no new folder.
        if !matches!(
            *opcode,
            Opcode::OPEN_FILE | Opcode::FS_OPEN | Opcode::FS_COPY | Opcode::FS_OPEN_DIR
        ) {
            continue;
        }
        for link in ["file-up", "dangling", "up", "absolute", "chain", "proc/etc/passwd"] {
            for &option in *options {
                let path = format!("/data/{link}");
                let answer = cage.call(*opcode, option, &path, "/data/taken");
                assert!(refused(*opcode, answer), "{opcode} {option} {path}: {answer}");
                if *opcode == Opcode::FS_COPY {
                    assert!(
                        refused(*opcode, cage.call(*opcode, option, "/data/file", &path)),
                        "{path}"
                    );
                }
            }
        }
    }
    assert_eq!(cage.outside(), before);
    let followed = cage.call(Opcode::FS_METADATA, 1, "/data/file-up", "");
    assert!(followed < 0, "{followed}");
    assert_eq!(cage.call(Opcode::FS_METADATA, 0, "/data/file-up", ""), 0);
}

/// Links that the system makes lead anywhere, and no path says so: whoever grants `/proc` grants what is in it, not what it shows.
#[test]
fn links_of_the_system_lead_nobody_out() {
    let root = folder("grants-proc");
    fs::write(root.join("secret"), "secret").unwrap();
    let open = fs::File::open(&root).unwrap();
    let mut grants = Grants::none();
    grants.directory(Path::new("/proc"), None).unwrap();
    let device = Device::new(1, 1, RecordingHost::default(), Services::new(grants).registry());
    let cage = Cage { device, root };
    let folder = cage.root.to_str().unwrap();
    let (pid, descriptor) = (std::process::id(), std::os::fd::AsRawFd::as_raw_fd(&open));
    let mut ways = vec![
        format!("/proc/self/fd/{descriptor}"),
        format!("/proc/{pid}/fd/{descriptor}"),
    ];
    for process in ["self", "thread-self", &pid.to_string()] {
        ways.push(format!("/proc/{process}/root{folder}"));
        ways.push(format!("/proc/{process}/cwd/../../../../../../../..{folder}"));
    }
    for way in ways {
        for path in [format!("{way}/secret"), format!("{way}/new")] {
            for (opcode, options) in CALLS {
                for &option in *options {
                    let answer = cage.call(*opcode, option, &path, "/proc/nothing");
                    assert!(refused(*opcode, answer), "{opcode} {option} {path}: {answer}");
                }
            }
        }
    }
    // The links themselves, at the end of a path.
    for path in [
        "/proc/self/exe",
        "/proc/self/root",
        "/proc/self/cwd",
        "/proc/self/root/",
    ] {
        for opcode in [Opcode::FS_OPEN, Opcode::FS_OPEN_DIR] {
            assert!(refused(opcode, cage.call(opcode, 1, path, "")), "{opcode} {path}");
        }
        assert!(cage.call(Opcode::FS_METADATA, 1, path, "") < 0, "{path}");
    }
    let names: Vec<_> = fs::read_dir(&cage.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["secret"]);
    // What is there is there.
    assert!(cage.call(Opcode::FS_OPEN, 1, "/proc/self/status", "") > 0);
}

/// Who is granted the root is granted all: links lead where they lead for everybody, those of the system too.
#[test]
fn out_of_the_root_nothing_leads() {
    let root = folder("grants-root");
    fs::write(root.join("file"), "text").unwrap();
    symlink(root.join("file"), root.join("link")).unwrap();
    symlink(&root, root.join("folder")).unwrap();
    let mut grants = Grants::none();
    grants.directory(Path::new("/"), None).unwrap();
    let device = Device::new(1, 1, RecordingHost::default(), Services::new(grants).registry());
    let cage = Cage { device, root };
    let at = cage.root.to_str().unwrap().to_owned();
    for way in ["link", "folder/link", "folder/folder/file"] {
        for path in [format!("{at}/{way}"), format!("/proc/self/root{at}/{way}")] {
            assert!(cage.call(Opcode::FS_OPEN, 1, &path, "") > 0, "{path}");
            assert_eq!(cage.call(Opcode::FS_METADATA, 1, &path, ""), 0);
            assert_eq!(cage.call(Opcode::FS_COPY, 0, &path, &format!("{at}/folder/copy")), 4);
        }
    }
    assert!(cage.call(Opcode::FS_OPEN_DIR, 0, &format!("{at}/folder"), "") > 0);
    assert_eq!(
        cage.call(
            Opcode::RENAME,
            0,
            &format!("{at}/folder/copy"),
            &format!("{at}/folder/moved")
        ),
        0
    );
    assert_eq!(cage.call(Opcode::REMOVE, 0, &format!("{at}/folder/moved"), ""), 0);
    assert_eq!(cage.call(Opcode::FS_REMOVE, 2, "/", ""), -i64::from(libc::EBUSY));
    assert_eq!(cage.device.host.seen().reports, [""; 0]);
    let mut names: Vec<_> = fs::read_dir(&cage.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["file", "folder", "link"]);
}

/// A folder on the way becomes a link to the outside and back, as fast as another process can.
#[test]
fn a_folder_that_turns_into_a_link_lets_nobody_out() {
    let cage = Cage::new("race");
    let inside = cage.root.join("in");
    fs::create_dir(inside.join("swap")).unwrap();
    fs::write(inside.join("swap/secret"), "decoy").unwrap();
    let before = cage.outside();
    let over = AtomicBool::new(false);
    let mut opened = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                fs::rename(inside.join("swap"), inside.join("aside")).unwrap();
                symlink("../out", inside.join("swap")).unwrap();
                std::thread::yield_now();
                fs::remove_file(inside.join("swap")).unwrap();
                fs::rename(inside.join("aside"), inside.join("swap")).unwrap();
                std::thread::yield_now();
            }
        });
        let start = std::time::Instant::now();
        let mut round = 0u32;
        while start.elapsed().as_millis() < 1500 || round < 300 {
            round += 1;
            let file = cage.call(Opcode::FS_OPEN, 1, "/data/swap/secret", "");
            if file > 0 {
                let mut call = cage.device.open(0, Opcode::FS_READ, 1);
                call.send_words(|_| [100, file as u64]);
                assert_eq!(call.recv_n(), [b"decoy"]);
                assert_eq!(call.recv_word(), [5]);
                let mut call = cage.device.open(0, Opcode::FS_CLOSE, 1);
                assert_eq!(call.send_words(|_| [file as u64]).recv_word(), [0]);
                opened += 1;
            }
            cage.call(Opcode::FS_CREATE_DIR, 0, &format!("/data/swap/folder-{round}"), "");
            cage.call(Opcode::FS_COPY, 0, "/data/file", "/data/swap/copy");
            cage.call(Opcode::FS_RENAME, 0, "/data/swap/copy", "/data/swap/moved");
            cage.call(Opcode::FS_REMOVE, 2, &format!("/data/swap/folder-{round}"), "");
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(opened > 0, "the folder was never there: nothing was raced");
    assert_eq!(cage.outside(), before);
}

#[test]
fn a_refusal_is_an_error_to_the_program_and_names_the_flag_to_the_user() {
    let services = Services::new(Grants::none());
    let device = Device::new(1, 1, RecordingHost::default(), services.registry());
    let denied = -i64::from(libc::EACCES);
    let path = [&1u64.to_le_bytes()[..], b"/etc/passwd"].concat();
    let command = [&1u64.to_le_bytes()[..], b"true\0"].concat();
    for (opcode, request, flag) in [
        (Opcode::FS_OPEN, &path, "--dir"),
        (Opcode::RUN, &command, "--allow-run"),
    ] {
        let answer = device.open(0, opcode, 1).send_n(&[request]).recv_word()[0] as i64;
        assert_eq!(answer, denied, "{opcode}");
        let reports = device.host.seen().reports;
        assert!(reports.last().unwrap().contains(flag), "{opcode}: {reports:?}");
    }
    // Memory of the host that somebody merely knows of is no function that was granted.
    let mut call = device.open(0, Opcode::HOST_CALL, 1);
    call.send_n(&[[0; 8]]).send_words(|_| [0x7fff_0000_1000]);
    assert_eq!(call.recv_word(), [0]);
    let reports = device.host.seen().reports;
    assert!(
        reports.len() == 3 && reports[2].contains("--allow-host-call"),
        "{reports:?}"
    );
}

/// A refusal is said once for each kind: so each call has a server of its own.
#[test]
fn each_call_that_is_refused_names_the_flag() {
    let refused_with = |name: String, flag: &str, answer: &dyn Fn(&Cage) -> i64, failure: i64| {
        let root = folder("grants-none");
        let services = Services::new(Grants::none());
        let device = Device::new(1, 1, RecordingHost::default(), services.registry());
        let cage = Cage { device, root };
        assert_eq!(answer(&cage), failure, "{name}");
        let reports = cage.device.host.seen().reports;
        assert!(
            reports.len() == 1 && reports[0].contains(flag) && reports[0].starts_with("refused"),
            "{name}: {reports:?}"
        );
    };
    for (opcode, options) in CALLS {
        let failure = match *opcode {
            Opcode::OPEN_FILE => 0,
            Opcode::REMOVE | Opcode::RENAME => -1,
            _ => -i64::from(libc::EACCES),
        };
        for &option in *options {
            let ask = |cage: &Cage| cage.call(*opcode, option, "/etc/passwd", "/tmp/other");
            refused_with(format!("{opcode} {option}"), "--dir", &ask, failure);
        }
    }
    let in_one_packet = |opcode, bytes: Vec<u8>| {
        move |cage: &Cage| cage.device.open(0, opcode, 1).send_n(&[&bytes]).recv_word()[0] as i64
    };
    let command = [&1u64.to_le_bytes()[..], b"true\0"].concat();
    let denied = -i64::from(libc::EACCES);
    refused_with(
        "RUN".into(),
        "--allow-run",
        &in_one_packet(Opcode::RUN, command),
        denied,
    );
    let system = in_one_packet(Opcode::SYSTEM, b"true\0".to_vec());
    refused_with("SYSTEM".into(), "--allow-run", &system, -1);
    for opcode in [Opcode::HOST_CALL, Opcode::OFFLOAD_HOST_CALL] {
        let ask = |cage: &Cage| {
            let mut call = cage.device.open(0, opcode, 1);
            call.send_n(&[[0; 8]]).send_words(|_| [0x7fff_0000_1000]);
            call.recv_word()[0] as i64
        };
        refused_with(opcode.to_string(), "--allow-host-call", &ask, 0);
    }
}

/// `--env` and `--no-inherit-env` say what commands find, too.
#[test]
fn commands_have_the_environment_of_the_program() {
    let mut grants = Grants::none();
    grants
        .run()
        .environment(&["A=1".into(), "B=x=y".into(), "=no".into(), "no".into()]);
    let device = Device::new(1, 1, RecordingHost::default(), Services::new(grants).registry());
    let script = "echo \"${A-unset} ${B-unset} ${HOME-unset} ${no-unset}\"";
    let status = device
        .open(0, Opcode::SYSTEM, 1)
        .send_n(&[format!("{script}\0")])
        .recv_word();
    assert_eq!(status, [0]);
    let expected = "1 x=y unset unset\n";
    assert_eq!(String::from_utf8(device.host.seen().stdout).unwrap(), expected);

    let request = [&3u64.to_le_bytes()[..], b"/bin/sh\0-c\0", script.as_bytes(), b"\0"].concat();
    let answer = device.open(0, Opcode::RUN, 1).send_n(&[request]).recv()[0].data;
    assert_eq!(answer[..2], [0, 0]);
    let mut call = device.open(0, Opcode::FS_READ, 1);
    call.send_words(|_| [100, answer[2]]);
    assert_eq!(call.recv_n(), [expected.as_bytes()]);
}

#[test]
fn what_is_granted_twice_is_two_places() {
    let root = folder("grants-two");
    for folder in ["a", "b"] {
        fs::create_dir(root.join(folder)).unwrap();
        fs::write(root.join(folder).join("file"), folder).unwrap();
    }
    let mut grants = Grants::none();
    grants.directory(&root.join("a"), Some(Path::new("/a"))).unwrap();
    grants.directory(&root.join("b"), Some(Path::new("/b"))).unwrap();
    let device = Device::new(1, 1, RecordingHost::default(), Services::new(grants).registry());
    let cage = Cage {
        device,
        root: root.clone(),
    };
    // From one to the other by name; not from inside one into the other by `..`.
    assert_eq!(cage.call(Opcode::FS_COPY, 0, "/a/file", "/b/copy"), 1);
    assert_eq!(cage.call(Opcode::FS_RENAME, 0, "/a/file", "/b/moved"), 0);
    assert!(cage.call(Opcode::FS_OPEN, 1, "/a/../b/file", "") < 0);
    assert_eq!(fs::read_to_string(root.join("b/copy")).unwrap(), "a");
    assert_eq!(fs::read_to_string(root.join("b/moved")).unwrap(), "a");
}
