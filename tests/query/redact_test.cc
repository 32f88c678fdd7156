// Texts with and without secrets. Tokens are put together from pieces, so that no scanner takes
// this file for a leak; `{36}` stands for as many characters that look random.
#include "query/redact.h"

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace cgrep::test {
namespace {

std::string filled(std::string_view text) {
  return example_of({.example = text});
}

// Each has one secret at least.
const std::vector<std::string_view> kTrue = {
    "AK"
    "IA{A16}",
    "AS"
    "IA{A16} is a session key",
    "export AWS_ACCESS_KEY_ID=AK"
    "IA{A16}",
    "aws_secret_access_key = {40}",
    "AWS_SECRET_ACCESS_KEY=\"{40}\"",
    "\"awsSecretKey\": \"{40}\"",
    "gh"
    "p_{36}",
    "git clone https://gh"
    "p_{36}@github.com/ada/widget",
    "gh"
    "o_{36}",
    "gh"
    "s_{36}",
    "gh"
    "r_{40}",
    "token github"
    "_pat_{22}_{59}",
    "gl"
    "pat-{20}",
    "PRIVATE-TOKEN: gl"
    "pat-{20}",
    "gl"
    "rt-{20}",
    "xo"
    "xb-{12}-{12}-{24}",
    "xo"
    "xp-{12}-{12}-{32}",
    "xa"
    "pp-1-{11}-{13}-{64}",
    "curl -X POST https://hooks.slack"
    ".com/services/T{A8}/B{A8}/{24}",
    "sk"
    "_live_{24}",
    "sk"
    "_test_{24}",
    "rk"
    "_live_{24}",
    "wh"
    "sec_{32}",
    "sk"
    "-{48}",
    "sk"
    "-proj-{48}",
    "OPENAI_API_KEY=sk"
    "-svcacct-{40}",
    "sk"
    "-ant-api03-{40}",
    "ANTHROPIC_API_KEY: 'sk"
    "-ant-{60}'",
    "AI"
    "za{35}",
    "ya"
    "29.{60}",
    "GOC"
    "SPX-{28}",
    "ey"
    "J{20}.eyJ{60}.{43}",
    "Cookie: session=ey"
    "J{20}.eyJ{60}.{43}; path=/",
    "npm"
    "_{36}",
    "//registry.example.test/:_authToken=npm"
    "_{36}",
    "py"
    "pi-AgEI{80}",
    "S"
    "G.{22}.{43}",
    "h"
    "f_{34}",
    "S"
    "K{h32}",
    "1029384756:"
    "AA{33}",
    "do"
    "p_v1_{h64}",
    "dckr"
    "_pat_{27}",
    "hv"
    "s.{60}",
    "shp"
    "at_{h32}",
    "lin"
    "_api_{40}",
    "DefaultEndpointsProtocol=https;AccountName=gauge;AccountKey={86}==",
    "postgres://ada:{10}@db.internal:5432/app",
    "redis://:{12}@10.0.0.7:6379",
    "https://deploy:p%40ss9w@git.internal/widget.git",
    "mongodb+srv://app:{14}@cluster0.mongodb.net",
    "Authorization: Bearer {32}",
    "-H 'Authorization: Basic {24}=='",
    "\"authorization\": \"token {40}\"",
    "Bearer {40}",
    "DB_PASSWORD={12}",
    "password: \"{14}\"",
    "{\\\"password\\\": \\\"{14}\\\"}",
    "spring.datasource.password={16}",
    "passphrase = '{20}'",
    "api_key: {32}",
    "\"api_key\": \"{h32}\"",
    "apiKey => '{32}'",
    "X-Api-Key: {32}",
    "client_secret={32}&grant_type=client_credentials",
    "GET /v1/me?access_token={40}",
    "SECRET_KEY_BASE=x; RAILS_MASTER_KEY={h32}",
    "const secret = \"{24}\";",
    "refresh_token: \"{40}\"",
    "$env:GITEA_TOKEN = '{h40}'",
    "-----BEGIN PRIVATE"
    " KEY-----\n{64}\n{64}\n{30}==\n-----END PRIVATE"
    " KEY-----",
    "-----BEGIN OPENSSH PRIVATE"
    " KEY-----\n{70}\n{70}\n-----END OPENSSH PRIVATE"
    " KEY-----",
    "     1|-----BEGIN RSA PRIVATE"
    " KEY-----\n     2|{64}\n     3|-----END RSA PRIVATE"
    " KEY-----",
    "\"key\": \"-----BEGIN EC PRIVATE"
    " KEY-----\\n{64}\\n-----END EC PRIVATE"
    " KEY-----\\n\"",
    "-----BEGIN RSA PRIVATE"
    " KEY-----\n{64}\n{64}\n(cut here)",
    "AGE-SECRET"
    "-KEY-1{A58}",
};

// None has any.
const std::vector<std::string_view> kFalse = {
    "commit {h40}",
    "index {h7}..{h7} 100644",
    "Merge: {h7} {h7}",
    "sha256:{h64}",
    "\"integrity\": \"sha512-{86}==\"",
    "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3",
    "\"id\": \"3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3\"",
    "requestId={h32}",
    "etag: W/\"{h32}\"",
    "data:image/png;base64,iVBORw0KGgo{200}",
    "<img src=\"data:image/jpeg;base64,/9j/{300}\">",
    "@font-face { src: url(data:font/woff2;base64,{400}) }",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43} ada@widget",
    "-----BEGIN PUBLIC KEY-----\n{64}\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\n{64}\n{64}\n-----END CERTIFICATE-----",
    "grep -r -- '-----BEGIN PRIVATE KEY-----' .",
    "pem.replace('-----BEGIN PRIVATE KEY-----', '').replace('-----END PRIVATE KEY-----', '')",
    "AK"
    "IAIOSFODNN7EXAMPLE",
    "AKIA is how such keys begin",
    "password_hash = {60}",
    "passwordHash: \"$2b$12${53}\"",
    "password_reset_sent_at: 2026-08-01T10:22:00Z",
    "password: string",
    "password: String,",
    "password = input('Password: ')",
    "password = getpass.getpass()",
    "password: ********",
    "password=changeme123",
    "password: <your password 1>",
    "PASSWORD=${DB_PASSWORD_1}",
    "password: \"{{ vault_password_2 }}\"",
    "password: 'must have at least 8 characters'",
    "Password: yes, it needs one",
    "passwords: 12345678",
    "postgres://user:password@localhost/db",
    "postgres://${USER}:${PASS}@localhost/db",
    "postgres://localhost:5432/app",
    "redis://[[USERNAME:]PASSWORD@]HOST",
    "new URL('https://a:b@c.test/')",
    "https://example.test:8443/@scope/package",
    "ssh://git@git.internal:2222/ada/widget.git",
    "api_key = os.environ['API_KEY_2']",
    "apiKey: process.env.OPENAI_API_KEY_2",
    "api_key=your_api_key_1",
    "api_key: \"xxxxxxxxxxxxxxxx1\"",
    "API_KEY=<insert 1 key here>",
    "const token = lexer.nextToken2();",
    "token = refreshToken2",
    "token: TokenKind::Number64",
    "let token = tokens[index_1];",
    "if (token === undefined) return",
    "max_tokens: 4096000000",
    "token: 1234567890123",
    "tokenizer: cl100k_base_v2",
    "token_type: bearer_access_v1",
    "csrf_token = generate_token(32)",
    "secret: secretKeyRef",
    "secretName: widget-tls-2026",
    "secret = hashlib.sha256(seed1234)",
    "secretsmanager.GetSecretValue2019",
    "rotateRefreshToken: src/auth/refresh2.ts",
    "auth_token: ./fixtures/2026-08-01/token.txt",
    "pwd: /home/ada/2026-widget/src",
    "pwd=/var/lib/9f8e7d6c/data",
    "access_key: config.aws.accessKey1",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer ${TOKEN}",
    "use Bearer authentication-with-short-lived-tokens",
    "sk-learn-pipeline-with-standard-scaler-2",
    ".sk-folding-cube-animation-container-12 { }",
    "import { sk_test_helper } from './helpers'",
    "ghp_ is the prefix of a token",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "xoxb-your-token-here-12345",
    "eyJ is how a JWT begins; eyJhbGciOiJIUzI1NiJ9 alone is a header",
    "hf_hub_download_with_progress_and_retries",
    "npm_config_registry=https://registry.npmjs.org/",
    "npm_package_json=/home/ada/widget/package.json",
    "whsec_...",
    "pk"
    "_live_{24}",
    "SKIPPED {h32}",
    "E0308 mismatched types in qn_arena_alloc_aligned_64",
};

TEST(RedactTest, PrecisionAndRecallOnTextsWithAndWithoutSecrets) {
  ASSERT_GE(kTrue.size(), 60u);
  ASSERT_GE(kFalse.size(), 60u);
  std::size_t found = 0;
  std::size_t wrong = 0;
  for (const auto text : kTrue) {
    const bool hit = !find_secrets(filled(text)).empty();
    found += hit ? 1 : 0;
    EXPECT_TRUE(hit) << text;
  }
  for (const auto text : kFalse) {
    const auto shown = redacted(filled(text));
    wrong += shown == filled(text) ? 0 : 1;
    EXPECT_EQ(shown, filled(text));
  }
  const auto share = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  const double precision = share(found, found + wrong);
  const double recall = share(found, kTrue.size());
  std::cout << "precision " << precision << ", recall " << recall << " on " << kTrue.size()
            << " texts with secrets and " << kFalse.size() << " without\n";
  EXPECT_GE(precision, 0.98);
  EXPECT_GE(recall, 0.98);
}

TEST(RedactTest, EveryShapeFindsItsExample) {
  for (const SecretShape& shape : secret_shapes()) {
    const auto text = "before " + example_of(shape) + " after";
    const auto shown = redacted(text);
    EXPECT_NE(shown.find("[redacted:" + std::string(shape.name) + "]"), std::string::npos)
        << shape.pattern << "\n"
        << shown;
    EXPECT_TRUE(shown.starts_with("before ")) << shown;
    EXPECT_TRUE(shown.ends_with(" after")) << shown;
  }
}

TEST(RedactTest, OnlyTheSecretIsMasked) {
  EXPECT_EQ(redacted(filled("postgres://ada:{10}@db:5432/app")),
            "postgres://ada:[redacted:url-password]@db:5432/app");
  EXPECT_EQ(redacted(filled("export DB_PASSWORD=\"{12}\" # keep")),
            "export DB_PASSWORD=\"[redacted:password]\" # keep");
  EXPECT_EQ(redacted(filled("{\"a\": \"gh"
                            "p_{36}\", \"b\": \"gl"
                            "pat-{20}\"}")),
            "{\"a\": \"[redacted:github-token]\", \"b\": \"[redacted:gitlab-token]\"}");
  EXPECT_EQ(redacted(filled("Authorization: Bearer {32}\nHost: x")),
            "Authorization: Bearer [redacted:authorization]\nHost: x");
}

TEST(RedactTest, WhatTwoShapesFindIsMaskedOnceAndWhole) {
  const auto text = filled(
      "API_TOKEN=gh"
      "p_{36}");
  const auto secrets = find_secrets(text);
  ASSERT_EQ(secrets.size(), 1u);
  EXPECT_EQ(secrets[0].span.end, text.size());
}

}  // namespace
}  // namespace cgrep::test
