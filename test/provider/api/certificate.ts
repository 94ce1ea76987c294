/**
 * A self-signed certificate for `localhost` with its key. Nobody trusts it, and it opens nothing but the server of
 * a test.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPrChEpv0HcPA2zhZ
R42Z2dxiSAxlrd2ZK+oJhUsgon6hRANCAARDTthbxEu1bv5MCIoQR342jbAFO1yF
InSmiGFHVnWn2mriME9+RJcZaqtEuwxO8RnzWNECcAc2XqUBOt/eqmfy
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUSacFpIR4dOvLRkerZFQoo3gPS8MwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExMjAyM1oYDzIxMjYxMDI4
MTEyMDIzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARDTthbxEu1bv5MCIoQR342jbAFO1yFInSmiGFHVnWn2mriME9+RJcZ
aqtEuwxO8RnzWNECcAc2XqUBOt/eqmfyo1MwUTAdBgNVHQ4EFgQU7n1ST4XY2eHX
a0Z2QstEHqSbQ4gwHwYDVR0jBBgwFoAU7n1ST4XY2eHXa0Z2QstEHqSbQ4gwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA/1GVY1eI1uvN1G1Ey440
BPZkJ7b+h9whEaPTt956hzACIQC6QOYmZg2wpfluKlBww5rPzuMf0RqUkJUfyta+
7Uwxng==
-----END CERTIFICATE-----`,
};
