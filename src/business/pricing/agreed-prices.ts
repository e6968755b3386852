import { countedMeter } from '../../domain/usage'
import { costKey } from '../../gateway/catalogue/cards'
import type { MovedCost } from './cost-vote'
import { movesWithin } from './price-move'
import type { CostProposal, Proposal } from './proposals'
import { sameLines } from './rule-price'
import { lastDecided, priceByRule, type Known } from './settle'
import type { PriceState } from './contract'
import { isTyped, type JudgedCost } from './price-readings'
import { approvalOf, openFollowing } from './proposal-decisions'
import { knownOf } from './priced-catalogue'
import { rowsOfApproval, slicesByModel } from './price-slices'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

/** Name of the policy as an approver, in cards and proposals. */
const policyName = 'prices-auto'

/** A price that moves by more is somebody's to decide. */
const maxMovePercent = 30
const agreeingVoices = 2

/**
 * Approves what the policy `agree` stands for: costs that nobody typed, whose every move two sources
 * tell, where neither the cost nor a price on sale moves far, and nothing but this moves the price.
 */
export async function applyAgreed(
  parts: ServiceParts,
  judged: readonly JudgedCost[],
): Promise<readonly Proposal[]> {
  const known = await knownOf(await catalogueOf(parts))
  const { prices } = parts.storage
  const wanted = new Map(
    agreedOf(await prices.state(), known, judged).map((each) => [each.id, each]),
  )
  const applied: CostProposal[] = []
  for (const slice of slicesByModel([...wanted.values()], rowsOfApproval)) {
    const places = new Set(slice.map(costKey))
    const ofSlice = judged.filter(({ place }) => places.has(costKey(place)))
    let some: readonly CostProposal[] = []
    await prices.change((state) => {
      // Others may have decided meanwhile.
      some = agreedOf(state, known, ofSlice).filter(({ id }) => wanted.has(id))
      return approvalOf(state, known, some, { validFrom: state.now, by: policyName })
    })
    applied.push(...some)
  }
  return applied
}

function agreedOf(
  state: PriceState,
  known: Known,
  judged: readonly JudgedCost[],
): readonly CostProposal[] {
  let agreed = judged.flatMap((each) => {
    const pending = state.pendingCosts.get(costKey(each.place))
    return pending !== undefined && isAgreed(state, each, pending) ? pending : []
  })
  const following = openFollowing(state, known)
  const models = new Map(known.models.map((model) => [model.id, model]))
  for (;;) {
    const moving = [...following.prices(agreed).values()].filter(({ moves }) => moves)
    const refused = new Set(
      moving
        .filter(({ model, lines }) => {
          const [held, placed] = [lastDecided(state, model), models.get(model)]
          if (held === null || placed === undefined || held.validFrom > state.now) return true
          // Else what somebody has yet to decide, or rejected, would come with it.
          const ruled = priceByRule(placed, following.costs, state.rules)
          const isSettled = ruled !== null && sameLines(ruled.lines, held.lines)
          return !isSettled || !movesWithin(held.lines, lines, maxMovePercent)
        })
        .map(({ model }) => model),
    )
    if (refused.size === 0) return agreed
    // Without these the others may move less far, or farther: they are looked at again.
    agreed = agreed.filter((cost) =>
      [...following.prices([cost]).keys()].every((model) => !refused.has(model)),
    )
  }
}

/** Nothing is sold by the price of a tier, speed or region, which one source alone tells. */
const isAgreedMove = ({ meter, agree }: MovedCost): boolean =>
  agree.length >= agreeingVoices || countedMeter(meter) !== meter

function isAgreed(state: PriceState, judged: JudgedCost, pending: CostProposal): boolean {
  const { held, verdict } = judged
  return (
    held !== null &&
    !isTyped(judged) &&
    state.costs.get(costKey(judged.place))?.id === held.id &&
    verdict.lines !== null &&
    sameLines(pending.lines, verdict.lines) &&
    verdict.moved.every(isAgreedMove) &&
    movesWithin(held.lines, verdict.lines, maxMovePercent)
  )
}
