//! What tests in a sandbox may not ask the kernel for.
//!
//! A process that knows the path of a socket can connect to it, and have the program that listens there (docker, an agent for keys, the user's
//! bus) do what the sandbox forbids. Neither a read-only mount nor a namespace prevents that, and a filter sees numbers only, never the path
//! that a pointer leads to. So there are no sockets but those of the network, which is empty in a sandbox, and pairs of which both ends are the
//! test's own. A datagram socket of a pair can still send to any path, so pairs are streams. io_uring makes sockets without a call, and
//! keyrings are the user's in any namespace, so both are refused.

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, SECCOMP_RET_ALLOW,
    SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS, sock_filter,
};

/// The numbers of system calls of one architecture.
struct SyscallTable {
    /// The kernel's number of the architecture.
    architecture: u32,
    /// The mask of a call number.
    number_mask: u32,
    socket: u32,
    socketpair: u32,
    /// All calls about sockets in one, whose words lie in memory.
    socketcall: Option<u32>,
    /// The same as if the kernel had none of them.
    absent: [u32; 4],
}

/// The architectures that this processor runs. Programs of others are killed.
#[cfg(target_arch = "x86_64")]
const TABLES: &[SyscallTable] = &[
    SyscallTable {
        architecture: 0xC000_003E,
        // One bit tells of a program with short pointers (x32), which has the same calls.
        number_mask: !0x4000_0000,
        socket: 41,
        socketpair: 53,
        socketcall: None,
        absent: [IO_URING_SETUP, 248, 249, 250],
    },
    // Of 32 bits.
    SyscallTable {
        architecture: 0x4000_0003,
        number_mask: !0,
        socket: 359,
        socketpair: 360,
        socketcall: Some(102),
        absent: [IO_URING_SETUP, 286, 287, 288],
    },
];
#[cfg(target_arch = "aarch64")]
const TABLES: &[SyscallTable] = &[
    SyscallTable {
        kind: 0xC000_00B7,
        bits: !0,
        socket: 198,
        socketpair: 199,
        socketcall: None,
        absent: [IO_URING_SETUP, 217, 218, 219],
    },
    // Of 32 bits.
    SyscallTable {
        kind: 0x4000_0028,
        bits: !0,
        socket: 281,
        socketpair: 288,
        socketcall: Some(102),
        absent: [IO_URING_SETUP, 309, 310, 311],
    },
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const TABLES: &[SyscallTable] = &[];

/// The same everywhere; behind it in the table stand `add_key`, `request_key` and `keyctl`.
const IO_URING_SETUP: u32 = 425;

/// The offsets of the number, the architecture and the arguments of a call in the data of a filter.
const NUMBER: u32 = 0;
const KIND: u32 = 4;
const WORDS: u32 = 16;

/// What a socket call says of a socket.
const FAMILIES: [i32; 3] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
const STREAMS: [i32; 2] = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
/// The bits of a socket's type that are no flags.
const TYPE: u32 = 0xf;

/// The program of the filter; none if the table has no calls of this processor.
pub(super) fn build_program() -> Option<Vec<sock_filter>> {
    let mut program = vec![load_word(KIND)];
    for table in TABLES {
        let part = build_table_rules(table);
        program.extend(skip_unless(table.architecture, part.len()));
        program.extend(part);
    }
    program.push(return_action(SECCOMP_RET_KILL_PROCESS));
    (!TABLES.is_empty()).then_some(program)
}

/// The part of the filter for one architecture.
fn build_table_rules(table: &SyscallTable) -> Vec<sock_filter> {
    let mut part = vec![load_word(NUMBER), mask_bits(table.number_mask)];
    let mut rule = |call: u32, rule: Vec<sock_filter>| {
        part.extend(skip_unless(call, rule.len()));
        part.extend(rule);
    };
    let families = FAMILIES.map(i32::cast_unsigned);
    rule(
        table.socket,
        [vec![load_word(argument_offset(0))], allow_only(&families)].concat(),
    );
    let streams = STREAMS.map(i32::cast_unsigned);
    let pair = [
        vec![load_word(argument_offset(0))],
        skip_unless(libc::AF_UNIX.cast_unsigned(), 2 + 2 * streams.len() + 1),
        vec![load_word(argument_offset(1)), mask_bits(TYPE)],
        allow_only(&streams),
        vec![refuse_with(libc::EACCES)],
    ];
    rule(table.socketpair, pair.concat());
    if let Some(call) = table.socketcall {
        rule(call, vec![refuse_with(libc::EACCES)]);
    }
    for call in table.absent {
        rule(call, vec![refuse_with(libc::ENOSYS)]);
    }
    part.push(return_action(SECCOMP_RET_ALLOW));
    part
}

/// Allows the call if the loaded value is one of these, else refuses it.
fn allow_only(values: &[u32]) -> Vec<sock_filter> {
    let allow = |value: &u32| {
        [
            skip_unless(*value, 1),
            vec![return_action(SECCOMP_RET_ALLOW)],
        ]
        .concat()
    };
    let mut lines: Vec<sock_filter> = values.iter().flat_map(allow).collect();
    lines.push(refuse_with(libc::EACCES));
    lines
}

/// Skips so many instructions unless the loaded value is this.
fn skip_unless(value: u32, lines: usize) -> Vec<sock_filter> {
    // No part is so long; were it, no sandbox would be made.
    let lines = u8::try_from(lines).unwrap_or(u8::MAX);
    vec![bpf_instruction(BPF_JMP | BPF_JEQ | BPF_K, value, 0, lines)]
}

fn load_word(place: u32) -> sock_filter {
    bpf_instruction(BPF_LD | BPF_W | BPF_ABS, place, 0, 0)
}

fn mask_bits(bits: u32) -> sock_filter {
    bpf_instruction(BPF_ALU | BPF_AND | BPF_K, bits, 0, 0)
}

fn return_action(action: u32) -> sock_filter {
    bpf_instruction(BPF_RET | BPF_K, action, 0, 0)
}

fn refuse_with(errno: i32) -> sock_filter {
    return_action(SECCOMP_RET_ERRNO | errno.cast_unsigned())
}

fn bpf_instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    // Each code has two bytes.
    let code = code as u16;
    sock_filter { code, jt, jf, k }
}

/// Where the lower half of a word of the call lies: the kernel reads no more of those that we look at.
const fn argument_offset(number: u32) -> u32 {
    let half = if cfg!(target_endian = "big") { 4 } else { 0 };
    WORDS + 8 * number + half
}

#[cfg(test)]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tests {
    use super::*;

    /// The decision of the program about a call.
    fn evaluate_filter(kind: u32, call: u32, words: [u32; 2]) -> u32 {
        let program = build_program().expect("a program");
        let (mut at, mut loaded) = (0, 0);
        loop {
            let line = program[at];
            at += 1;
            match u32::from(line.code) {
                code if code == BPF_LD | BPF_W | BPF_ABS => {
                    loaded = match line.k {
                        NUMBER => call,
                        KIND => kind,
                        place if place == argument_offset(0) => words[0],
                        place if place == argument_offset(1) => words[1],
                        place => panic!("nothing lies at {place}"),
                    }
                }
                code if code == BPF_ALU | BPF_AND | BPF_K => loaded &= line.k,
                code if code == BPF_RET | BPF_K => return line.k,
                _ if loaded == line.k => at += usize::from(line.jt),
                _ => at += usize::from(line.jf),
            }
        }
    }

    #[test]
    fn only_sockets_of_the_network_and_pairs_of_streams_are_made() {
        const REFUSED: u32 = SECCOMP_RET_ERRNO | libc::EACCES as u32;
        let [unix, inet] = [libc::AF_UNIX, libc::AF_INET].map(i32::cast_unsigned);
        for table in TABLES {
            let says = |call, words| evaluate_filter(table.architecture, call, words);
            let vsock = libc::AF_VSOCK.cast_unsigned();
            for (family, expected) in [(unix, REFUSED), (vsock, REFUSED), (inet, SECCOMP_RET_ALLOW)]
            {
                assert_eq!(says(table.socket, [family, 1]), expected, "{family}");
            }
            let flags = libc::SOCK_CLOEXEC.cast_unsigned();
            for (family, kind, expected) in [
                (unix, 1, SECCOMP_RET_ALLOW),
                (unix, 5, SECCOMP_RET_ALLOW),
                (unix, 1 | flags, SECCOMP_RET_ALLOW),
                (unix, 2, REFUSED),
                (unix, 2 | flags, REFUSED),
                (unix, 3, REFUSED),
                (inet, 1, REFUSED),
            ] {
                let said = says(table.socketpair, [family, kind]);
                assert_eq!(said, expected, "{family} {kind}");
            }
            if let Some(call) = table.socketcall {
                assert_eq!(says(call, [1, 0]), REFUSED);
            }
            for call in table.absent {
                assert_eq!(
                    says(call, [0, 0]),
                    SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned()
                );
            }
            assert_eq!(says(1, [unix, 2]), SECCOMP_RET_ALLOW);
            let other = !table.number_mask | table.socket;
            assert_eq!(says(other, [unix, 1]), REFUSED, "x32 has a bit more");
        }
        assert_eq!(
            evaluate_filter(0xC000_0016, 1, [0, 0]),
            SECCOMP_RET_KILL_PROCESS
        );
    }
}
