import type { ReasoningEffort, Traits } from '../../../domain/model'
import { chatPath } from '../../formats/chat/members'
import { offersTools } from '../../formats/chat/tool-options'
import {
  effortFor,
  isOnlyEffort,
  requestedEffort,
  saysOfThinking,
  thinkingAs,
  thinkingMembers,
  type ThinkingMember,
} from '../../formats/reasoning'
import { unsupported } from '../../formats/schema-fault'
import type { Dialect } from './dialects'

type Body = Readonly<Record<string, unknown>>

interface Thinking {
  readonly traits: Traits
  readonly dialect: Dialect
}

/**
 * Asks for thinking by a member that the vendor has, whichever the client used.
 * @returns the effort that the vendor is asked for; null for none
 * @throws endpoint_not_supported for thinking that no ceiling binds, of a model that is not known to be paid for it
 */
export function setEffort(
  body: Body,
  how: Thinking,
  set: Record<string, unknown>,
  drop: string[],
): ReasoningEffort | null {
  const { traits, dialect } = how
  // Without effort is the only way in which it takes tools here.
  if (traits.chat === 'responses-with-tools' && offersTools(body))
    return (set['reasoning_effort'] = 'none')
  if (!saysOfThinking(body)) return null
  const sent = thinkingMembers.filter((name) => body[name] !== undefined)
  drop.push(...sent.filter((name) => body[name] === null))
  const asked = requestedEffort(body)
  const foreign = sent.filter((name) => dialect.thinking?.includes(name) === false)
  const unknown = foreign.find((name) => !isOnlyEffort(name, body[name]))
  if (unknown !== undefined && isUnpaid(how))
    throw unsupported(String(body['model']), chatPath, unknown)
  // The member says something that is not known here: the vendor knows it, or refuses it.
  if (asked === null) return null
  drop.push(...foreign.filter((name) => isOnlyEffort(name, body[name])))
  const kept = sent.filter((name) => !drop.includes(name) && name !== 'reasoning_effort')
  // A member of the vendor's own stays as its client wrote it.
  if (kept.length > 0) return asked
  const wanted = wantedThinking(
    asked,
    how,
    sent.some((name) => name !== 'reasoning_effort'),
  )
  if (wanted === null) {
    drop.push(...sent)
    return null
  }
  const [member, effort] = wanted
  if (member === 'reasoning_effort' && body[member] === effort) return effort
  if (thinksUnpaid(how, member, effort !== 'none'))
    throw unsupported(String(body['model']), chatPath, sent[0] ?? member)
  if (member !== 'reasoning_effort' && sent.includes('reasoning_effort'))
    drop.push('reasoning_effort')
  Object.assign(set, thinkingAs(member, effort))
  return effort
}

/**
 * The member by which a vendor is asked for an effort, with what it says.
 * @param isSwitched the client asked by a member that turns thinking on and off
 * @returns null where the model has neither efforts nor a way to be asked
 */
function wantedThinking(
  asked: ReasoningEffort,
  { traits, dialect }: Thinking,
  isSwitched: boolean,
): readonly [ThinkingMember, ReasoningEffort] | null {
  const { efforts } = traits
  const { thinking: taken } = dialect
  const change = taken?.find((name) => name !== 'reasoning_effort')
  const hasEfforts = (taken === null || taken.includes('reasoning_effort')) && efforts?.length !== 0
  // What is turned off is not thought a little.
  const isExact = asked !== 'none' || efforts?.includes('none') === true
  if (hasEfforts && (isExact || change === undefined)) {
    const effort = effortFor(asked, traits)
    return effort === null ? null : ['reasoning_effort', effort]
  }
  // A model without efforts of its own is not known to be stopped by one.
  if (change === undefined || (efforts?.length === 0 && !isSwitched)) return null
  return [change, asked]
}

/** Whether thinking that no ceiling binds is not known to be paid for. */
const isUnpaid = ({ dialect, traits }: Thinking): boolean =>
  dialect.thinkingBeyond !== undefined && traits.thinkingBeyond === undefined

/** Whether a member asks for thinking that no ceiling binds, of a model that is not known to be paid for it. */
export const thinksUnpaid = (
  { dialect, traits }: Thinking,
  name: string,
  value: unknown,
): boolean =>
  traits.thinkingBeyond === undefined &&
  dialect.thinkingBeyond?.includes(name) === true &&
  value !== false
