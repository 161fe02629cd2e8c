/// Certificates that are valid until 2126, made by openssl.
enum TestCertificates {
    /// Of the authority that has signed the others.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBpjCCAU2gAwIBAgIUBbpkTxnBuTtFW9HCj6M3EkKf76QwCgYIKoZIzj0EAwIw
        KDEmMCQGA1UEAwwdQmFja2dyb3VuZFdvcmsgdGVzdCBhdXRob3JpdHkwIBcNMjYx
        MTIzMDM1MzIxWhgPMjEyNjEwMzAwMzUzMjFaMCgxJjAkBgNVBAMMHUJhY2tncm91
        bmRXb3JrIHRlc3QgYXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        dXWmNmFptLAXzmJI1D8fLD24/ZxIlz3ye2MXw+Bwy39o4Ab4JNEPpGeLwNI8gUTN
        r6TnoPyw5GC6Dz6DFm5LjqNTMFEwHQYDVR0OBBYEFD9Bk3eQMcA05C/MGfl9lwyW
        cMMSMB8GA1UdIwQYMBaAFD9Bk3eQMcA05C/MGfl9lwyWcMMSMA8GA1UdEwEB/wQF
        MAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgZwgeKDifw/x0mtLy2zih4eM8X7Krp/TT
        wUTp3LD7RfcCIF9BEkzpGkBxhJau6uqDgh8GOpA9H7qhISMeUhtcIARq
        -----END CERTIFICATE-----
        """

    /// For localhost, with a key on the curve P-256.
    static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBmDCCAT6gAwIBAgIUTTLaqaLDrJVm14rPeXLrDCTziiowCgYIKoZIzj0EAwIw
        KDEmMCQGA1UEAwwdQmFja2dyb3VuZFdvcmsgdGVzdCBhdXRob3JpdHkwIBcNMjYx
        MTIzMDM1MzIxWhgPMjEyNjEwMzAwMzUzMjFaMBQxEjAQBgNVBAMMCWxvY2FsaG9z
        dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB3s2wf1yHEHAwhqbh7GeOZHs0qt
        EE3rPYrZrlL/Xfuc7QHZfDZ7GXHTDkgMt5MA5e0Us9mh7QjA+I0BZxfFhEWjWDBW
        MBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAdBgNVHQ4EFgQU9UyhgWmOb016nY0w18VN
        o5NcVlgwHwYDVR0jBBgwFoAUP0GTd5AxwDTkL8wZ+X2XDJZwwxIwCgYIKoZIzj0E
        AwIDSAAwRQIhAKpsziTy7zlLYl8f7fTX1MElMPMmgR6RW7b+IQit4L1pAiAl3+Cs
        dIPOOdjjcQFIRAQPH9lglvOHJz/H6T3wXGdNLQ==
        -----END CERTIFICATE-----
        """

    /// The SHA-256 of its public key, by openssl.
    static let serverPin = "yd+oU3HtUP/ymQJTZYaBtKtRLNzJaghWQ/HJY5Ds8ds="

    /// Signed by itself, with an RSA key of 2048 bits.
    static let other = """
        -----BEGIN CERTIFICATE-----
        MIIC+zCCAeOgAwIBAgIUTGPD9fNG3ghOJU5+bYJ4odzOgJgwDQYJKoZIhvcNAQEL
        BQAwDDEKMAgGA1UEAwwBcjAgFw0yNjExMjMwMzUzMjJaGA8yMTI2MTAzMDAzNTMy
        MlowDDEKMAgGA1UEAwwBcjCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB
        AMOq7MlgyWH2fO21HdMmIDbt0+kd9wvBAhg77RVrcEvHAdCitKk7h26TXKgM4nns
        aTzXYeGKkUvHyTPEkoA6xG6/nk19rzNooFzXZdKCmrBXRK6HUxp+BAN/qly2JSpo
        WNVhZCcZWrBfuPHm3fOwQ+HY4uveGgN8RUvHpeVopFU0CDWlD/DKqnNHJFqOhvI6
        l2po7VwPFu4VSeFIoDFPinqD83OeHOlifppdlpzz9UATgVR7bhAqXAmCtEJOGEam
        3GfI3FwQUgfPoHVSYEjmGTfL4K9G/v/AbTEC/k+H1OY6Dsad3GKcNcOJ/oyNAqKo
        FW2+KvivpP8ab5uW9G+XObkCAwEAAaNTMFEwHQYDVR0OBBYEFGhPb2khvMYv3EFu
        1vPssseYjLBxMB8GA1UdIwQYMBaAFGhPb2khvMYv3EFu1vPssseYjLBxMA8GA1Ud
        EwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAHmuxrY731ktVYGUq1gmEN3q
        ZPUEochbMEVeYK0+85y4qEv3udNVrWg0vdkLyQP8iXj0yWka8row4Qwj/1RUEPiS
        yz8fPM837GPwiqWLxlYdURO5WIkuMP+o6kehXJYCLuagun6CFGTAtUCyojBgkwMa
        92jr+5Ul1P25NyIfEGyFNB/sLh+50UjPh6xBrBhGBZl5mregImS/7UvyIwd91t7/
        AxQY+fSZVUZLdvktrLW+5kxFf94zW7fST8zP4FytPYim7KYnTKnUcDUrDWyHIs2P
        Y7D0BepbXtJFzuScmlLBshvnXXe8nRaZ4khn3zgyPlBmLvd+AQeib0Y9Vvg/aEo=
        -----END CERTIFICATE-----
        """

    static let otherPin = "z5crAvRhVV/Gbw8wek9nmuj1a4dtrQ/eIMnuSX80m38="

    /// A client's certificate with its key, in PKCS #12, in base64. Its password is "secret".
    static let client = """
        MIIDzAIBAzCCA4IGCSqGSIb3DQEHAaCCA3MEggNvMIIDazCCAiIGCSqGSIb3DQEHBqCCAhMwggIPAgEAMIICCAYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg6nFEwwtFhfAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGRu
        LPIJNoB+FR5bPzU9mfaAggGgB5122rshDiKdFYmLSrzTqoDN0twYA7UvBOMNw80CH5q9LmdykZrLY8gf6q6fjbSudobnw2+Uk0EK
        65E09wm/p5ZVeEloEGbvj+F2t/i3EoE9mq9lOM4inrT1x8I3DSrzG98BWQymdUWQMJHfvp3kuRCBGrQ4LyRDclEU6y50Cfgr8qp3
        ceHi5m5+6W95lrREYWt3RE+cNkdV/hJkgt/HOeY/wzF97AwUBjNRmaDCsGWss3VOtmfvjOg6YlJYzH7IQza/0XsOkFSy3rxiNcwB
        bVnrCU90BVA9zv8vTvQLUPDZ5lp5oDj0nAyil4DYA8ijJHVr+SiJq/c5WsIMrfZYAcwRWVZufoWc1SnbB0vF5FhksM647xBc4MkM
        751CTwj6R4iU8hd/y6Z8dYLXAFxyJFzd1SPQl7aU7BydBo4WJwyQ8aasQozVITMq7naqSxFRuxEiRTuLvj4tQx7LnaPeYzka4rmK
        7n5pc6D4jWtF7wJqp+BSCfvdZfLnXyct/C47tTm9zdqGritZl9Nl5TN3RE1No0pH8J9ZGb6GK1B4y5gwggFBBgkqhkiG9w0BBwGg
        ggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIWC6V8FP10EwC
        AggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBA4UkbBT5ZSXMAuvwRKZNhDBIGQe/mwTAyDC6Aer1MCcvaetc3jkEs+U7Sc
        yN+7uCv75CUBJ3O4FIO83pt4e9kJlQHAP1zjq5JIgyH7lumQffjJEYftf+428B3kjJb8mQj/7N2qeHxKERAx193DSIBnTKyf5poC
        NftkblO38gXKpCufCKxnFkbqYFgoikDjCGF/6tgr448f+22Ai/dI3pC911DQMSUwIwYJKoZIhvcNAQkVMRYEFOpWV4TN/7thWsSm
        cSZabq8d09PhMEEwMTANBglghkgBZQMEAgEFAAQgvowPgu3IPJT369giLSSUx0CcAMQMzlZ4etUVlycbYGUECFGDUARRjawMAgII
        AA==
        """
}
