//! A sequence of choices as a text: one byte a choice on the disk, one number a choice in the program that is reduced.
//!
//! The listing is what passes edit, the journal keeps and the screen shows; a generator and the result's file get the bytes. Each
//! sequence has one listing, so that equal sequences have equal hashes.

/// How many choices stand on a line.
const PER_LINE: usize = 16;

/// The listing of these bytes: decimal numbers, 16 on a line.
pub fn list_choices(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.chunks(PER_LINE).map(|line| {
        let numbers: Vec<String> = line.iter().map(u8::to_string).collect();
        numbers.join(" ") + "\n"
    });
    lines.collect::<String>().into_bytes()
}

/// The bytes of a listing; None if it has anything but numbers from 0 to 255 with white space between them.
pub fn read_choices(listing: &[u8]) -> Option<Vec<u8>> {
    let words = listing.split(u8::is_ascii_whitespace);
    let words = words.filter(|word| !word.is_empty());
    let read = |word: &[u8]| {
        let digits = word.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(word)
            .ok()
            .filter(|_| digits)?
            .parse()
            .ok()
    };
    words.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_have_a_listing_and_come_back() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&[][..], &[0], b"\xff\xfe\0\n ", &all] {
            assert_eq!(read_choices(&list_choices(bytes)).as_deref(), Some(bytes));
        }
        let listing = list_choices(&all[..18]);
        assert_eq!(listing, b"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n16 17\n");
    }

    #[test]
    fn what_is_no_listing_has_no_bytes() {
        for text in ["256", "-1", "+1", "x", "1,2", "\u{661}"] {
            assert_eq!(read_choices(text.as_bytes()), None, "{text}");
        }
        assert_eq!(read_choices(b" 7\r\n\n007"), Some(vec![7, 7]));
    }
}
