-- Whose the plans are: by the name of the file, or by the id where there is none.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.planRegistry', $json$
{
  "p1": {
    "id": "p1", "name": "Gears",
    "uri": {"fsPath": "/home/ada/.cursor/plans/gears_1.plan.md", "path": "/x", "scheme": "file"},
    "createdBy": "c1", "editedBy": ["c2"], "referencedBy": [], "builtBy": {"c3": {}},
    "createdAt": 1772438700000, "lastUpdatedAt": 1772438760000
  },
  "p2": {"name": "Axles", "uri": "file:///home/ada/old%20place/axles_2.plan.md", "editedBy": ["c2"]},
  "p3": {"id": "three", "createdBy": "c4"},
  "p4": {"createdBy": "c5", "uri": {"path": "/c:/Users/ada/plans/win_4.plan.md"}},
  "p5": {"uri": {"fsPath": "C:\\Users\\ada\\plans\\win_5.plan.md"}, "createdBy": "c6"},
  "p6": {"createdBy": "c7"},
  "p7": {"uri": {"fsPath": "/home/ada/.cursor/plans/nobody.plan.md"}}
}
$$);
INSERT INTO ItemTable VALUES ('composer.planRedirects', $json$
{
  "file:///home/ada/old%20place/axles_2.plan.md": "file:///home/ada/app/.cursor/plans/axles.plan.md",
  "file:///home/ada/a.plan.md": "file:///home/ada/b.plan.md",
  "file:///home/ada/b.plan.md": "file:///home/ada/a.plan.md"
}
$$);
