import type { CatalogueStore } from '../../gateway/catalogue/contract'
import { costKey, syncSource, typedSource } from '../../gateway/catalogue/cards'
import { scopeText, type GroupRule, type PricingRule } from '../../domain/pricing-rules'
import type { PriceChanges, PriceState, PriceStore } from '../pricing/contract'
import type { TrailFields } from '../../domain/audit-log'
import type { PriceRows } from '../pricing/store'
import type { WriteAudit } from '../audit-log/audit-log-sql'
import type { Rows } from '../../storage/sqlite/sync-store'

/** A line of the trail about something that a change of prices wrote. */
interface PriceLineOfTrail {
  readonly what: string
  readonly subject: string
  readonly before: TrailFields | null
  readonly after: TrailFields | null
}

/**
 * Rules, cards and proposals, each decision of somebody with its line of the trail. What follows from
 * rules alone has none: its cards and proposals name their rule and their cause.
 * @param catalogue keeps the models that a change saves, with their lines
 */
export function recordedPrices(
  prices: PriceRows,
  catalogue: Pick<Rows<CatalogueStore>, 'saveModel'>,
  record: WriteAudit,
): Rows<PriceStore> {
  /** One transaction for a change and its lines; it has no line of its own. */
  const together = <T>(work: () => T): T =>
    record({ what: 'prices.change', work, subject: () => 'prices', ...nothing })
  const write = ({ what, subject, before, after }: PriceLineOfTrail) =>
    record({
      what,
      work: () => null,
      subject: () => subject,
      before: () => before,
      after: () => after,
    })
  return {
    state: prices.state,
    proposals: prices.proposals,
    change: (decide) => {
      let lines: readonly PriceLineOfTrail[] = []
      const planned: typeof decide = (state) => {
        const changes = decide(state)
        lines = linesOf(state, changes)
        return changes
      }
      // Others wait for what is written alone.
      const ahead = prices.decideAhead(planned)
      return together(() => {
        const changes = prices.changeAfter(ahead, planned)
        for (const model of changes.saved ?? []) catalogue.saveModel(model, [])
        for (const line of lines) write(line)
        return changes
      })
    },
    renameVendor: (from, to) =>
      record({
        what: 'vendor.rename',
        work: () => prices.renameVendor(from, to),
        subject: () => `vendor:${to}`,
        before: () => ({ name: from }),
        after: () => ({ name: to }),
      }),
  }
}

const nothing = { before: () => null, after: () => null }

function linesOf(earlier: PriceState, changes: PriceChanges): readonly PriceLineOfTrail[] {
  return [
    ...linesOfRules(earlier, changes),
    ...linesOfGroupRules(earlier, changes),
    ...linesOfCards(earlier, changes),
    ...linesOfProposals(earlier, changes),
  ]
}

const ruleFields = ({ id: _, kind: __, name: ___, ...rule }: PricingRule): TrailFields => rule

function linesOfRules(
  { rules }: PriceState,
  { rules: set = [], removedRules = [] }: PriceChanges,
): readonly PriceLineOfTrail[] {
  const was = (id: number) => rules.find((each) => each.id === id)
  return [
    ...set.map((rule) => {
      const before = was(rule.id)
      return {
        what: 'rule.set',
        subject: `rule:${scopeText(rule)}`,
        before: before === undefined ? null : ruleFields(before),
        after: ruleFields(rule),
      }
    }),
    ...removedRules.flatMap((id) => {
      const before = was(id)
      if (before === undefined) return []
      const subject = `rule:${scopeText(before)}`
      return { what: 'rule.remove', subject, before: ruleFields(before), after: null }
    }),
  ]
}

const groupRuleFields = ({ group: _, markedUp, ...rule }: GroupRule): TrailFields => ({
  ...ruleFields(rule),
  marked_up: markedUp,
})

function linesOfGroupRules(
  { groups }: PriceState,
  { groupRules = [], removedRules = [] }: PriceChanges,
): readonly PriceLineOfTrail[] {
  const known = [...groups.values()].flatMap(({ rules }) => rules)
  const was = (id: number) => known.find((each) => each.id === id)
  const subjectOf = (rule: GroupRule) => `rule:group ${rule.group} ${scopeText(rule)}`
  return [
    ...groupRules.map((rule) => {
      const before = was(rule.id)
      return {
        what: 'group.rule.set',
        subject: subjectOf(rule),
        before: before === undefined ? null : groupRuleFields(before),
        after: groupRuleFields(rule),
      }
    }),
    ...removedRules.flatMap((id) => {
      const before = was(id)
      if (before === undefined) return []
      const subject = subjectOf(before)
      return { what: 'group.rule.remove', subject, before: groupRuleFields(before), after: null }
    }),
  ]
}

function linesOfCards(
  { sale, costs: known }: PriceState,
  { sales = [], costs = [] }: PriceChanges,
): readonly PriceLineOfTrail[] {
  return [
    ...sales
      .filter(({ by }) => by !== null)
      .map(({ model, lines, validFrom, origin }) => {
        const before = sale.get(model)?.at(-1)
        return {
          what: 'price.set',
          subject: `model:${model}`,
          before:
            before === undefined
              ? null
              : { lines: before.lines, valid_from: before.validFrom, origin: before.origin },
          after: { lines, valid_from: validFrom, origin },
        }
      }),
    ...costs
      .filter(({ source }) => source.startsWith(typedSource) || source.startsWith(syncSource))
      .map(({ vendor, vendorModel, source, lines, validFrom }) => {
        const before = known.get(costKey({ vendor, vendorModel }))
        return {
          what: 'cost.set',
          subject: `cost:${vendor}:${vendorModel}`,
          before: before === undefined ? null : { lines: before.lines, source: before.source },
          after: { lines, source, ...(validFrom === undefined ? {} : { valid_from: validFrom }) },
        }
      }),
  ]
}

function linesOfProposals(
  { pending, pendingCosts, pendingEnds }: PriceState,
  { decided = [] }: PriceChanges,
): readonly PriceLineOfTrail[] {
  const proposals = new Map(
    [...pending.values(), ...pendingCosts.values(), ...pendingEnds.values()].map((each) => [
      each.id,
      each,
    ]),
  )
  return decided
    .filter(({ by }) => by !== null)
    .map(({ id, status }) => {
      const proposal = proposals.get(id)
      return {
        what: status === 'approved' ? 'proposal.approve' : 'proposal.reject',
        subject: `proposal:${id}`,
        before: { status: 'pending' },
        after: { status, kind: proposal?.kind, model: proposal?.model },
      }
    })
}
