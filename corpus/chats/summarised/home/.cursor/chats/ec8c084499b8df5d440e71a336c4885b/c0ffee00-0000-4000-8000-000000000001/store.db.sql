-- The model's memory begins with a summary; what was before it, archives and turns still know.
-- "continue" was said three times: once in the archive, twice since.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$json answer$ {"role": "assistant", "content": "25 light years."} $$
$json continue$ {"role": "user", "content": "continue"} $$
$json altair$ {"role": "assistant", "content": "Altair: 17."} $$
$json deneb$ {"role": "assistant", "content": "Deneb: 1500 or more."} $$
$json sirius$ {"role": "assistant", "content": "Sirius: 8.6."} $$
$json summary$
{
  "role": "user",
  "content": "The user asks for distances of stars.",
  "providerOptions": {"cursor": {"isSummary": true}}
}
$$
$proto archive$
1: id question
1: id answer
1: id continue
1: id altair
2: "The user asks for distances of stars."
4: id summary
$$
$proto user-one$ 1: "how far is Vega" $$
$proto user-more$ 1: "continue" $$
$proto step-one$ 1: { 1: "25  light\nyears." } $$
$proto step-altair$ 1: { 1: "Altair: 17." } $$
$proto step-thought$ 3: { 1: "The summer triangle." } $$
$proto step-deneb$ 1: { 1: "Deneb: 1500 or more." } $$
$proto step-sirius$ 1: { 1: "Sirius: 8.6." } $$
$proto turn-one$ 1: { 1: id user-one  2: id step-one } $$
$proto turn-two$ 1: { 1: id user-more  2: id step-altair } $$
$proto turn-three$ 1: { 1: id user-more  2: id step-thought  2: id step-deneb } $$
$proto turn-four$ 1: { 1: id user-more  2: id step-sirius } $$
$proto state-summary$ 1: "Distances, shortly." $$
$proto plan$ 1: "1. Vega\n2. The rest" $$
$proto todo$ 1: "t1"  2: "ask for Polaris"  3: 1 $$
$proto root$
1: id summary
1: id continue
1: id deneb
1: id continue
1: id sirius
3: id todo
6: id state-summary
7: id plan
8: id turn-one
8: id turn-two
8: id turn-three
8: id turn-four
13: id archive
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
