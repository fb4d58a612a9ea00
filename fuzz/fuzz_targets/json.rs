//! JSON out of model text (`core::model::json`).

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hadal::fuzzing::json(data));
