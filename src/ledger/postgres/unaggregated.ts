import { houseAccounts } from '../system-accounts'
import type { Unsummed } from '../store/audit-checks'
import { profitShard } from '../sums/profit-sums'

const free = 'free_calls f JOIN requests r ON r.id = f.request'
/** One that was counted as free and is charged after all counts as one less. */
const calls = 'CASE WHEN f.undone THEN -1 ELSE 1 END'

/** Sums that `sumSql` will write of what is committed. */
export const unsummed: Unsummed = {
  balance: `CASE WHEN a.id = ${houseAccounts.revenue} THEN (
    SELECT coalesce(sum(t.amount), 0) FROM transfers t WHERE t.kind = 'charge' AND t.by IS NULL
      AND t.id > (SELECT transfer FROM summed WHERE shard = ${profitShard})) ELSE 0 END`,
  usage: (day) => `UNION ALL SELECT r.project, ${day}, 0, ${calls} FROM ${free}`,
  profit: `UNION ALL SELECT r.created / 86400000, r.model,
    CASE WHEN f.undone THEN '' ELSE coalesce(r.vendor, (SELECT c.vendor FROM cost_cards c WHERE c.id = r.cost_card), '') END,
    r.account, ${calls}, 0, 0, CASE WHEN f.undone THEN 0 ELSE coalesce(r.vendor_cost, 0) END,
    CASE WHEN NOT f.undone AND r.vendor IS NOT NULL AND r.vendor_cost IS NULL THEN 1 ELSE 0 END
    FROM ${free}`,
  listed: 'UNION ALL SELECT f.request FROM free_calls f WHERE NOT f.undone',
}
