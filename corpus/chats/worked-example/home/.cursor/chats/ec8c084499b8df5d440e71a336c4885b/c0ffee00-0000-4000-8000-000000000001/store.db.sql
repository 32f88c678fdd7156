-- The worked example of the formats, byte for byte: ids are the real hashes of what is in them.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json system$ {"role":"system","content":"You are a coding assistant."} $$
$json info$
{"role":"user","content":"<user_info>\nOS Version: linux\nWorkspace Path: /home/ada/widget\n</user_info>"}
$$
$json question$
{"role":"user","content":[{"type":"text","text":"<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)</timestamp>\n<user_query>\nwhy does the gizmo leak\n</user_query>"}],"providerOptions":{"cursor":{"requestId":"5b0c5d3e-0000-4000-8000-00000000000a"}}}
$$
$json look$
{"role":"assistant","id":"1","content":[{"type":"reasoning","text":"Look at free().","signature":"AAAA"},{"type":"text","text":"Reading gizmo.c first."},{"type":"tool-call","toolCallId":"toolu_01","toolName":"Read","args":{"path":"/home/ada/widget/gizmo.c"}}]}
$$
$json result$
{"role":"tool","id":"toolu_01","content":[{"type":"tool-result","toolName":"Read","toolCallId":"toolu_01","result":"     1|void gizmo(void);"}]}
$$
$hex user-message$
0a1777687920646f6573207468652067697a6d6f206c65616b122430663065306430632d306230612d343930392d383830372d3036303530343033303230312001
$$
$hex step-thinking$ 1a110a0f4c6f6f6b206174206672656528292e $$
$hex step-text$ 0a180a1652656164696e672067697a6d6f2e632066697273742e $$
$hex step-shell$
12550a480a200a026c7312102f686f6d652f6164612f7769646765742208746f6f6c755f303212240a220a026c7312102f686f6d652f6164612f77696467657418002a0867697a6d6f2e630aca0308746f6f6c755f3032
$$
$hex turn$
0aae010a205d101c2828f4860c401ffbcaccbc7207e30608c617f9938ed4d4a999bd6b10ee1220e7a40ad6948a4a44ac986bb6cbe6f892e620bd1f52166b875ecc1e0c431a1f1b1220e3755ac898f40ddae7fe28039e65324f742db67a487dc86fb7ae9057f3bbfba61220e7a14bb02c7cdccd9997f23e2f64d724318de22223eb82ac86afd84bb0798dec1a2435623063356433652d303030302d343030302d383030302d303030303030303030303061
$$
$hex root$
0a20736a5432a719896a6da6f324630e0e5dfce6a5047469e031e2e540bc8bd9c0bd0a2062744fc72f0c83391316ba3c0706381af71bab732a8b0276dda32d72bae9d4e00a20547e820d3bf9e82bef7d2fbccbaefde3dd05669fce6d02b61c0c6c221ab361260a20d7fab466986b32d5b07dbc096f168b5d6a6c4f8a1b496ac0cbbe377d37b347890a2004c9c18bbba6079a8168dcbd98cbe11d0faaa934b9338d558e12b6778e4c82fa2a0708b00910c09a0c42205cf8c19ad66908f7f1e8514f12ed5be225b3a2991e91103a40cc11d3aef791d94a1766696c653a2f2f2f686f6d652f6164612f7769646765745001d001b0acdde6ea33
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$
{"agentId":"c0ffee00-0000-4000-8000-000000000001","latestRootBlobId":"75a929f31d355305ca02352615724aa94ec1711a18de435b31adaa5051077f5f","name":"Gizmo leak","mode":"default","createdAt":1781016250000,"lastUsedModel":"composer-2.5"}
$$)));
