-- fold_name: the one form in which unit names are stored and matched, on every database, whatever its locale.
--   name  a unit name or code
-- upper() alone follows LC_CTYPE: under C it leaves "ô" as it is, and under a Turkish locale it makes "İ" of "i".
-- "und-x-icu" is ICU's root locale: PostgreSQL makes that collation itself, and no index or stored order depends on it
-- here. After an update of the ICU library PostgreSQL may warn of its version; this statement settles it: alter
-- collation pg_catalog."und-x-icu" refresh version. The blanks are Unicode's White_Space and U+FEFF, the zero-width
-- no-break space; \s would follow the locale.
create or replace function fold_name(name text) returns text
  language sql immutable strict parallel safe
  return normalize(
    upper(
      btrim(regexp_replace(
        normalize(name, nfc) collate "C",
        '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'
      )) collate "und-x-icu"
    ),
    nfc
  );
comment on function fold_name(text) is
  'The one form in which unit names are stored and matched, whatever the locale: upper case, single blanks (no-break spaces are blanks too), no blanks at the ends, NFC.';
