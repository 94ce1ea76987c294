import fc from "fast-check";

// Generated tests try the same cases each time, so that two runs can be compared.
fc.configureGlobal({ seed: 1 });
