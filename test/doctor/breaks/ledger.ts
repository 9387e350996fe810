/** Breaks of accounts and keys. */
import { breaksOf } from './break.js'

/** Either side may be wrong, so the fix destroys nothing: it shows both, and has the change of the balance as a comment. */
const eitherSide = (change: string) =>
  new RegExp(
    `^-- Either side may be wrong[\\s\\S]*\nselect day, kind, request_id, credits, balance from credit_statement where org_id = 'org_\\w{12}'[^;]*;\n-- Where the entries are right, this ${change}:\n(--   .*\n?)+$`,
  )

export const ledgerBreaks = breaksOf({
  entries_missing: [
    [
      'a top-up whose entry was removed, right after another of as many credits',
      `insert into credit_entry (org_id, request_id, kind, credits) select min(org_id), 'kept', 'top_up', 1000 from organisation;
      insert into credit_entry (org_id, request_id, kind, credits) select min(org_id), 'lost', 'top_up', 1000 from organisation;
      alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'lost';
      alter table credit_entry enable trigger all`,
      /^org_\w{12}: the top-up of 1000 credits at .* has its event and no entry\.$/,
      { subject: 'ledger' },
    ],
  ],
  ledger: [
    [
      'an account that its entries do not add up to',
      "update account set balance = balance + 5 where org_id = (select org_id from organisation where name = 'demo')",
      /^org_\w{12}: the balance is \d+, the entries add up to \d+\.$/,
      {
        fix: eitherSide('takes 5 credits from it'),
        undo: "update account set balance = balance - 5 where org_id = (select org_id from organisation where name = 'demo')",
        subject: 'ledger',
      },
    ],
    [
      'an entry that was rewritten behind the trigger',
      `alter table credit_entry disable trigger all;
      update credit_entry set credits = credits + 7 where entry_id = (select min(entry_id) from credit_entry);
      alter table credit_entry enable trigger all`,
      /the entries add up to/,
      {
        fix: eitherSide('gives it 7 credits'),
        undo: `alter table credit_entry disable trigger all;
      update credit_entry set credits = credits - 7 where entry_id = (select min(entry_id) from credit_entry);
      alter table credit_entry enable trigger all`,
        subject: 'ledger',
      },
    ],
    [
      'entries that were lost',
      `insert into credit_entry (org_id, request_id, kind, credits) select min(org_id), 'lost ' || n, 'top_up', 10 from organisation, generate_series(1, 4) as n group by n;
      alter table credit_entry disable trigger all;
      delete from credit_entry where request_id in ('lost 2', 'lost 3'); alter table credit_entry enable trigger all`,
      /the entries add up to/,
      {
        fix: /No entry has the numbers [\d, to]+; a change that was undone leaves a gap too\./,
        undo: `alter table credit_entry disable trigger all;
      delete from credit_entry where request_id like 'lost _'; alter table credit_entry enable trigger all;
      alter table key_event disable trigger all; delete from key_event where action = 'topped_up' and detail ->> 'credits' = '10';
      alter table key_event enable trigger all;
      update account set balance = balance - 40 where org_id = (select min(org_id) from organisation)`,
        isAlone: true,
      },
    ],
    [
      'an organisation without an account',
      'delete from account where org_id = (select min(org_id) from organisation)',
      /^org_\w{12}: there is no account\.$/,
      { subject: 'ledger' },
    ],
    [
      'a refund of what was never charged',
      `alter table credit_entry disable trigger credit_entry_changes_balance;
      insert into credit_entry (org_id, request_id, kind, ref, credits) select min(org_id), 'never', 'refund', 'lyr_x', 3 from organisation;
      alter table credit_entry enable trigger credit_entry_changes_balance;
      update account set balance = balance + 3 where org_id = (select min(org_id) from organisation)`,
      /^org_\w{12}: request never gave back 3 for lyr_x, which cost nothing\.$/,
      {
        fix: /^-- Entries are never changed\.[\s\S]*\nselect \* from credit_entry where org_id = 'org_\w{12}' and request_id = 'never'/,
        undo: `alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'never';
      alter table credit_entry enable trigger all;
      update account set balance = balance - 3 where org_id = (select min(org_id) from organisation)`,
      },
    ],
    [
      'a call that failed and yet paid',
      `alter table credit_entry disable trigger credit_entry_changes_balance;
      insert into voided_call (org_id, request_id) select org_id, 'failed' from organisation where name = 'demo';
      insert into credit_entry (org_id, request_id, kind, ref, credits) select org_id, 'failed', 'dataset', 'lyr_x', -3 from organisation where name = 'demo';
      alter table credit_entry enable trigger credit_entry_changes_balance;
      update account set balance = balance - 3 where org_id = (select org_id from organisation where name = 'demo')`,
      /^org_\w{12}: request failed failed, and yet paid 3\.$/,
      {
        fix: /^-- Entries are never changed\.[\s\S]*\nselect \* from credit_entry where org_id = 'org_\w{12}' and request_id = 'failed'/,
        undo: `alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'failed';
      alter table credit_entry enable trigger all; delete from voided_call;
      update account set balance = balance + 3 where org_id = (select org_id from organisation where name = 'demo')`,
      },
    ],
    [
      'credits that a key added',
      `insert into credit_entry (org_id, request_id, kind, key_id, credits) select min(org_id), 'of a key', 'top_up', 'key_x', 3 from organisation`,
      /^org_\w{12}: 1 top-ups name a key, and no key adds credits\.$/,
      {
        fix: /^-- Entries are never changed\.[\s\S]*kind = 'top_up' and key_id is not null;$/,
        undo: `alter table credit_entry disable trigger all; delete from credit_entry where request_id = 'of a key';
      alter table credit_entry enable trigger all;
      update account set balance = balance - 3 where org_id = (select min(org_id) from organisation)`,
      },
    ],
    [
      'worded answers that cost nothing',
      `insert into worded_use (org_id, day, by_credits) select min(org_id), '2020-01-01', 2 from organisation`,
      /^org_\w{12}: the allowance counts 2 worded answers by credits, the entries 0\.$/,
      {
        fix: /^-- Entries are never changed\.[\s\S]*select day, by_credits from worded_use/,
        undo: `delete from worded_use where day = '2020-01-01'`,
      },
    ],
  ],
  organisations_missing: [
    [
      'an account of nobody',
      `delete from organisation where org_id = 'org_000000000000'; alter table account disable trigger all;
      insert into account values ('org_000000000000', 0); alter table account enable trigger all`,
      /^There is no organisation org_000000000000, which is in account\.$/,
    ],
  ],
  holds_expired: [
    [
      'a place held by a process that is gone',
      `insert into worded_hold (request_id, org_id, day, covered_by, expires_at)
      select 'gone', min(org_id), now()::date - 3, 'allowance', now() - interval '3 days' from organisation`,
      /^Places held for worded answers that expired over two days ago: 1\.$/,
      { severity: 'advice' },
    ],
  ],
})
