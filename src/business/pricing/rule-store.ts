import { and, eq, isNull } from 'drizzle-orm'
import type { GroupId } from '../../domain/ids'
import type { GroupCard, GroupTerms, SaleCard } from '../../gateway/catalogue/cards'
import type { GroupRule, PricingRule, RuledPrice } from '../../domain/pricing-rules'
import type { GroupPrices, PriceChanges } from './contract'
import { accountGroups, pricingRules, type saleCards } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

type RuleRow = typeof pricingRules.$inferSelect

export const ruleIn = (row: RuleRow): PricingRule => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  markupPercent: row.markupPercent,
  feePerCall: row.feePerCall,
  digits: row.digits,
  basis: row.basis,
})

const groupRuleIn = (row: RuleRow): GroupRule => ({
  ...ruleIn(row),
  group: row.group as GroupId,
  markedUp: row.markedUp,
})

/** Collects what groups of accounts pay, of all rules and of each card that is read. */
export function openGroupPrices(rules: readonly RuleRow[]) {
  const prices = new Map<
    GroupId,
    { readonly rules: GroupPrices['rules']; readonly sale: Map<string, GroupCard[]> }
  >()
  for (const row of rules) {
    if (row.group === 0) continue
    const rule = groupRuleIn(row)
    const held = prices.get(rule.group)
    prices.set(rule.group, {
      rules: [...(held?.rules ?? []), rule],
      sale: held?.sale ?? new Map<string, GroupCard[]>(),
    })
  }
  let lastRule = 0
  return {
    prices,
    /** Largest number of a rule that any card names. */
    lastRule: () => lastRule,
    add(row: typeof saleCards.$inferSelect, card: SaleCard): void {
      const { group, base, terms } = row
      lastRule = Math.max(lastRule, row.rule ?? 0)
      const held = group === null ? undefined : prices.get(group)
      if (group === null || held === undefined || base === null) return
      const { id, model, version, validFrom, origin, rule } = card
      const own: GroupCard = {
        id,
        model,
        version,
        validFrom,
        origin,
        rule,
        group,
        base,
        terms: terms === null ? null : (JSON.parse(terms) as GroupTerms),
        // Read when they are asked for, as those of any card.
        get lines() {
          return card.lines
        },
      }
      const cards = held.sale.get(model)
      if (cards === undefined) held.sale.set(model, [own])
      else cards.push(own)
    },
  }
}

/** Writes and removes rules, inside of a transaction. */
export function writeRules(
  { orm }: Pick<Connection, 'orm'>,
  { rules = [], groupRules = [], removedRules = [] }: PriceChanges,
): void {
  const rows = [
    ...rules.map((rule) => rowOf(rule, 0, 'cost')),
    ...groupRules.map((rule) => rowOf(rule, rule.group, rule.markedUp)),
  ]
  for (const { group } of groupRules) {
    const held = and(eq(accountGroups.id, group), isNull(accountGroups.removed))
    if (orm.select({ id: accountGroups.id }).from(accountGroups).where(held).get() === undefined)
      throw new RangeError(`there is no group ${group}`)
  }
  const { group, kind, name } = pricingRules
  for (const row of rows)
    orm
      .insert(pricingRules)
      .values(row)
      .onConflictDoUpdate({ target: [group, kind, name], set: row })
      .run()
  for (const id of removedRules) orm.delete(pricingRules).where(eq(pricingRules.id, id)).run()
}

const rowOf = (
  { id, kind, name, markupPercent, feePerCall, digits, basis }: PricingRule,
  group: number,
  markedUp: RuledPrice,
): RuleRow => ({ id, kind, name, markupPercent, feePerCall, digits, basis, group, markedUp })
