-- Prints each element of the database by which money moves, with the SHA-256 of its definition. The
-- lines look like those of sha256sum, sorted by the bytes of their names.
-- decision 021: `roundhouse verify-install` runs this file from outside, because a function in the
-- database could be replaced itself. Others run psql -XqAt -F '  ' -f elements.sql. It reads only
-- catalogs, which every role may read.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
DO $$ BEGIN PERFORM pg_catalog.set_config('roundhouse.schema', pg_catalog.current_schema(), true); END $$;
-- These settings decide how PostgreSQL writes definitions. An empty search path adds the schema to
-- each name. Below, 'true' leaves out parentheses, which change in pg_dump and a restore.
SET LOCAL search_path = '';
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO, MDY';
SET LOCAL intervalstyle = 'postgres';
SET LOCAL extra_float_digits = 1;
SET LOCAL bytea_output = 'hex';
SET LOCAL quote_all_identifiers = off;
WITH home AS (
  SELECT oid
  FROM pg_namespace
  WHERE nspname = current_setting('roundhouse.schema')
), relations AS (
  SELECT c.*
  FROM pg_class c
  JOIN home ON home.oid = c.relnamespace
), elements (name, definition) AS (
  -- Another version of PostgreSQL writes other definitions, so it is a component as well.
  SELECT format('postgresql %s', current_setting('server_version_num')::int / 10000), ''
  UNION ALL
  -- With 'replica' no trigger and no foreign key works.
  SELECT 'setting session_replication_role', current_setting('session_replication_role')
  UNION ALL
  SELECT format('function %s(%s)', proname, oidvectortypes(proargtypes)),
    CASE prokind
      WHEN 'a' THEN (SELECT a::text FROM pg_aggregate a WHERE aggfnoid = p.oid)
      ELSE pg_get_functiondef(p.oid)
    END
  FROM pg_proc p
  JOIN home ON home.oid = pronamespace
  UNION ALL
  SELECT
    format(
      '%s %s',
      CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'S' THEN 'sequence' ELSE 'table' END,
      relname
    ),
    concat_ws(
      ' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity, pg_get_expr(relpartbound, r.oid),
      (SELECT string_agg(inhparent::regclass::text, ', ' ORDER BY inhseqno) FROM pg_inherits WHERE inhrelid = r.oid),
      CASE WHEN relkind IN ('v', 'm') THEN concat_ws(' ', reloptions, pg_get_viewdef(r.oid, true)) END,
      (
        SELECT concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle)
        FROM pg_sequence
        WHERE seqrelid = r.oid
      )
    )
  FROM relations r
  WHERE relkind NOT IN ('i', 'I', 't')
  UNION ALL
  -- The position is a count: a restored backup has no gaps where columns were dropped.
  SELECT format('column %s.%s', relname, attname),
    concat_ws(
      ' ', row_number() OVER (PARTITION BY attrelid ORDER BY attnum), format_type(atttypid, atttypmod),
      attcollation::regcollation, attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid, true)
    )
  FROM pg_attribute
  JOIN relations r ON r.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'f', 'c')
  UNION ALL
  -- A foreign key is enforced by its own triggers. NOT NULL is with the columns, in each version.
  SELECT format('constraint %s.%s', coalesce(relname, typname), conname),
    concat_ws(
      ' ', pg_get_constraintdef(con.oid, true), convalidated,
      (
        SELECT string_agg(concat(tgtype, tgenabled), ' ' ORDER BY tgtype, tgenabled)
        FROM pg_trigger
        WHERE tgconstraint = con.oid AND tgisinternal
      )
    )
  FROM pg_constraint con
  JOIN home ON home.oid = connamespace
  LEFT JOIN pg_class c ON c.oid = conrelid
  LEFT JOIN pg_type t ON t.oid = contypid
  WHERE contype <> 'n'
  UNION ALL
  SELECT format('index %s', relname), concat_ws(' ', pg_get_indexdef(r.oid, 0, true), indisvalid, indisready)
  FROM pg_index
  JOIN relations r ON r.oid = indexrelid
  UNION ALL
  SELECT format('trigger %s.%s', relname, tgname), concat_ws(' ', pg_get_triggerdef(t.oid, true), tgenabled)
  FROM pg_trigger t
  JOIN relations r ON r.oid = tgrelid
  WHERE NOT tgisinternal
  UNION ALL
  SELECT format('rule %s.%s', relname, rulename), concat_ws(' ', pg_get_ruledef(w.oid, true), ev_enabled)
  FROM pg_rewrite w
  JOIN relations r ON r.oid = ev_class
  WHERE rulename <> '_RETURN'
  UNION ALL
  SELECT format('policy %s.%s', relname, polname),
    concat_ws(
      ' ', polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid, true), pg_get_expr(polwithcheck, polrelid, true)
    )
  FROM pg_policy
  JOIN relations r ON r.oid = polrelid
  UNION ALL
  SELECT format('type %s', typname),
    concat_ws(
      ' ', typtype, typinput, typnotnull, typdefault,
      CASE typtype WHEN 'd' THEN format_type(typbasetype, typtypmod) END,
      (SELECT string_agg(enumlabel, ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid)
    )
  FROM pg_type t
  JOIN home ON home.oid = typnamespace
  WHERE typtype <> 'c' AND typcategory <> 'A'
)
-- A manifest holds neither double quotes nor backslashes. Two elements of one name change its sum.
SELECT
  encode(sha256(convert_to(string_agg(definition, E'\n' ORDER BY definition COLLATE "C"), 'UTF8')), 'hex') AS sha256,
  name
FROM (
  SELECT 'database/' || regexp_replace(name, '[[:cntrl:]"\\]', '?', 'g') AS name, definition
  FROM elements
) AS named
GROUP BY name
ORDER BY name COLLATE "C";
COMMIT;
