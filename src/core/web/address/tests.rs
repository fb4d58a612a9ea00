//! Tables for what is refused, what is allowed, and what is the same page.

use proptest::prelude::*;

use super::*;

fn rules(allow_private: bool, ports: Ports) -> Rules {
    Rules { allow_private, ports }
}

#[test]
fn no_spelling_of_a_refused_address_passes() {
    let cases = refused::cases();
    assert!(cases.len() >= 300, "{} cases", cases.len());
    let passed: Vec<&String> = cases.iter().filter(|case| check(case, &Rules::default()).is_ok()).collect();
    assert!(passed.is_empty(), "{} of {} pass: {passed:#?}", passed.len(), cases.len());
}

/// With every port open, what is refused is refused for its host.
#[test]
fn ports_do_not_hide_a_bad_host() {
    for case in refused::V4.into_iter().flat_map(refused::spellings) {
        let address = format!("http://{case}:8080/");
        assert!(check(&address, &rules(false, Ports::Any)).is_err(), "{address}");
    }
}

#[test]
fn the_public_web_passes() {
    for (address, host, port) in [
        ("http://example.com", "example.com", 80),
        ("https://example.com/", "example.com", 443),
        ("HTTPS://EXAMPLE.COM./a?b#c", "example.com", 443),
        ("https://example.com:443/x", "example.com", 443),
        ("https://example.com:80/x", "example.com", 80),
        ("http://example.com#@127.0.0.1:22/../@x:y@127.0.0.1/", "example.com", 80),
        ("https://example.com/a@b", "example.com", 443),
        ("https://example.com/?next=http://127.0.0.1/", "example.com", 443),
        ("https://bücher.example/", "xn--bcher-kva.example", 443),
        ("https://例え.jp/パス", "xn--r8jz45g.jp", 443),
        ("https://faß.example/", "xn--fa-hia.example", 443),
        ("https://Ｆｕｌｌ．EXAMPLE。/", "full.example", 443),
        ("https://☃.example/", "xn--n3h.example", 443),
        // With a joiner that changes the letters beside it, from right to left.
        ("https://نامه\u{200c}ای.example/", "xn--mgba3gch31f060k.example", 443),
        ("https://local.example.com/", "local.example.com", 443),
        ("https://localhost.example.com/", "localhost.example.com", 443),
        ("https://internal.org/", "internal.org", 443),
        ("https://notlocal/../x.com", "notlocal", 443),
        ("https://testing.com/", "testing.com", 443),
        ("https://under_score.example.com/", "under_score.example.com", 443),
        ("http://8.8.8.8/", "8.8.8.8", 80),
        ("http://134744072/", "8.8.8.8", 80),
        ("http://1.1.1.1/", "1.1.1.1", 80),
        ("http://9.255.255.255/", "9.255.255.255", 80),
        ("http://11.0.0.0/", "11.0.0.0", 80),
        ("http://100.63.255.255/", "100.63.255.255", 80),
        ("http://100.128.0.0/", "100.128.0.0", 80),
        ("http://126.255.255.255/", "126.255.255.255", 80),
        ("http://128.0.0.1/", "128.0.0.1", 80),
        ("http://169.253.255.255/", "169.253.255.255", 80),
        ("http://169.255.0.0/", "169.255.0.0", 80),
        ("http://172.15.255.255/", "172.15.255.255", 80),
        ("http://172.32.0.0/", "172.32.0.0", 80),
        ("http://192.0.1.1/", "192.0.1.1", 80),
        ("http://192.167.255.255/", "192.167.255.255", 80),
        ("http://192.169.0.0/", "192.169.0.0", 80),
        ("http://198.17.255.255/", "198.17.255.255", 80),
        ("http://198.20.0.0/", "198.20.0.0", 80),
        ("http://223.255.255.255/", "223.255.255.255", 80),
        ("http://[2606:4700:4700::1111]/", "[2606:4700:4700::1111]", 80),
        ("http://[2001:4860:4860::8888]/", "[2001:4860:4860::8888]", 80),
        ("http://[2001:200::1]/", "[2001:200::1]", 80),
        ("http://[2a00:1450:4001:827::200e]/", "[2a00:1450:4001:827::200e]", 80),
        ("http://[3ffd::1]/", "[3ffd::1]", 80),
    ] {
        if host == "notlocal" {
            assert!(check(address, &Rules::default()).is_err(), "{address}");
            continue;
        }
        let found = check(address, &Rules::default()).map_err(|refusal| refusal.of(address)).unwrap();
        assert_eq!((found.site.host.as_str(), found.site.port), (host, port), "{address}");
        assert_eq!(found.url.fragment(), None, "{address}");
    }
}

#[test]
fn a_user_can_open_private_networks_but_no_metadata() {
    let open = rules(true, Ports::Web);
    for address in [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://localhost/",
        "http://a.localhost/",
        "http://router/",
        "http://wiki.corp/",
        "http://10.0.0.7/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://[::1]/",
        "http://[fd00::1]/",
    ] {
        assert!(check(address, &open).is_ok(), "{address}");
        assert!(check(address, &Rules::default()).is_err(), "{address}");
    }
    for address in [
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9.0xfe.0xa9.0xfe/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fd00:ec2::254]/",
        "http://metadata.google.internal/",
        "http://metadata.google.internal./",
        "http://metadata/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://192.0.0.192/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://[fe80::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "file:///etc/passwd",
        "http://user@127.0.0.1/",
        "http://127.0.0.1:22/",
    ] {
        assert!(check(address, &open).is_err(), "{address}");
    }
}

#[test]
fn further_ports_are_those_that_were_named() {
    for (ports, port, want) in [
        (Ports::Web, 8080, false),
        (Ports::Also(vec![8080]), 8080, true),
        (Ports::Also(vec![8080]), 8081, false),
        (Ports::Also(vec![8080]), 443, true),
        (Ports::Any, 8081, true),
        (Ports::Any, 0, true),
    ] {
        let address = format!("http://example.com:{port}/");
        assert_eq!(check(&address, &rules(false, ports.clone())).is_ok(), want, "{ports:?} {port}");
    }
}

#[test]
fn a_refusal_says_what_to_do() {
    for (address, words, hint) in [
        ("http://127.1/", "leads to `127.0.0.1`, which is an address of this machine", "HADAL_FETCH_ALLOW_PRIVATE"),
        ("http://localhost/", "names `localhost`", "HADAL_FETCH_ALLOW_PRIVATE"),
        ("http://example.com:22/", "port 22", "HADAL_FETCH_PORTS"),
        ("http://169.254.169.254/", "metadata service", ""),
        ("file:///x\u{7}", "control character", ""),
        ("gopher://x", "scheme `gopher`", ""),
    ] {
        let error = check(address, &Rules::default()).unwrap_err().of(address);
        assert_eq!(error.code, Code::AddressRefused);
        assert!(error.message.contains(words), "{}", error.message);
        assert!(!error.message.contains('\u{7}'));
        assert_eq!(error.hints.is_empty(), hint.is_empty(), "{error:?}");
        assert!(error.hints.iter().all(|text| text.contains(hint)), "{error:?}");
    }
}

#[test]
fn one_page_has_one_canonical_address() {
    for (address, want) in [
        ("http://Example.COM", "https://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:80/", "https://example.com/"),
        ("http://example.com:443/", "https://example.com/"),
        ("http://example.com:8080/", "https://example.com:8080/"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com/a/", "https://example.com/a"),
        ("https://example.com/a//", "https://example.com/a"),
        ("https://example.com/a/b/../c/./d", "https://example.com/a/c/d"),
        ("https://example.com/a#part", "https://example.com/a"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com/a?b=2&a=1", "https://example.com/a?b=2&a=1"),
        ("https://example.com/a?utm_source=x&id=7&UTM_Medium=y&fbclid=z", "https://example.com/a?id=7"),
        ("https://example.com/a?gclid=1", "https://example.com/a"),
        ("https://example.com/a?&&id=7&", "https://example.com/a?id=7"),
        ("https://example.com/a?ref=main", "https://example.com/a?ref=main"),
        ("https://example.com/%7euser/%41%2f", "https://example.com/~user/A%2F"),
        ("https://example.com/100%", "https://example.com/100%"),
        ("https://example.com/ä", "https://example.com/%C3%A4"),
        ("https://example.com/%c3%a4", "https://example.com/%C3%A4"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://www.example.com/", "https://www.example.com/"),
        ("https://user@example.com/", "https://example.com/"),
        ("  https://example.com/x  ", "https://example.com/x"),
        ("http://[::1]:8080/", "https://[::1]:8080/"),
    ] {
        assert_eq!(canonical(address).as_deref(), Some(want), "{address}");
    }
    for address in ["", "mailto:a@b", "file:///x", "example.com", "http://"] {
        assert_eq!(canonical(address), None, "{address}");
    }
}

proptest! {
    /// A canonical address is its own canonical address.
    #[test]
    fn canonical_twice_is_once(tail in "[a-zA-Z0-9/?&=%._~#-]{0,60}") {
        let address = format!("http://example.com/{tail}");
        let once = canonical(&address).unwrap();
        prop_assert_eq!(canonical(&once), Some(once.clone()), "{}", address);
    }

    /// Whatever the text: an answer, no panic, and never a private address.
    #[test]
    fn garbage_is_judged(text in "(?s).{0,80}") {
        for text in [text.clone(), format!("http://{text}")] {
            // Refused or not, it must not panic.
            let _ = canonical(&text);
            if let Ok(address) = check(&text, &Rules::default()) {
                match address.url.host() {
                    Some(Host::Ipv4(ip)) => prop_assert_eq!(class_v4(ip), Class::Public),
                    Some(Host::Ipv6(ip)) => prop_assert_eq!(class_v6(ip), Class::Public),
                    Some(Host::Domain(name)) => prop_assert!(name.contains('.')),
                    None => prop_assert!(false, "no host"),
                }
            }
        }
    }

    #[test]
    fn every_spelling_means_the_same_host(ip in any::<u32>()) {
        let ip = Ipv4Addr::from(ip);
        let allowed = check_ip(ip.into(), &Rules::default()).is_ok();
        for spelling in refused::spellings(ip) {
            let found = check(&format!("http://{spelling}/"), &Rules::default());
            // Spellings as IPv6 are refused whatever they carry.
            prop_assert_eq!(found.is_ok(), allowed && !spelling.contains(':'), "{}", spelling);
        }
    }
}
