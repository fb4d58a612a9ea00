//! Pages of strangers (`core::text::page`).

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hadal::fuzzing::extract(data));
