/**
 * A self-signed certificate for `localhost` and `tracking.example` with its key. Nobody trusts it, and it opens
 * nothing but the server of a test.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBtIK+xJkJqZref7B
/gSYwVPbgD8aSnHvQmkocXkxlT+hRANCAARm++wBRdB7iE/v0y46G7ZmnFNQfgdX
BZlQs+Yn8XDZzIUG+BttjVjEZ4t7xj0IX2YyGNEy2datV/Q2GsWJziWz
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBpjCCAU2gAwIBAgIUAdO+CLZ14ch+5antVNAoGiOmq2cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA0NTMwMVoYDzIxMjYxMDI5
MDQ1MzAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARm++wBRdB7iE/v0y46G7ZmnFNQfgdXBZlQs+Yn8XDZzIUG+BttjVjE
Z4t7xj0IX2YyGNEy2datV/Q2GsWJziWzo3sweTAdBgNVHQ4EFgQUANLLKAIPgtGZ
CNR5yu6/FGY5YdIwHwYDVR0jBBgwFoAUANLLKAIPgtGZCNR5yu6/FGY5YdIwJgYD
VR0RBB8wHYIJbG9jYWxob3N0ghB0cmFja2luZy5leGFtcGxlMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgfPrGdXNWjg5fU1oK9Ommk5bm+cNv+8RF
SVrlHnbMO7ACIGWmPUvuTnHBjnCzQT9WTwFwcbCATSoiqcRloEjGSNNU
-----END CERTIFICATE-----`,
};
