//! What people see: three thin faces over the same verbs. Wire types live here and only here.
