import type { Offer } from '../catalogue/catalogue'
import { inputTokens } from '../domain/usage'
import { joinEmbeddings, renderEmbeddings, type EmbeddingsReply } from '../formats/embeddings/reply'
import {
  checkEmbeddingsBody,
  inputsOf,
  partsOf,
  type EmbeddingsBody,
} from '../formats/embeddings/schema'
import { readJson } from '../http/json-body'
import type { Calibration } from '../metering/calibration'
import { estimateTokens } from '../metering/estimate-text'
import type { Reply } from '../outbound/reply'
import type { EmbedAbility } from '../vendors/vendor'
import { clientMark } from './client-mark'
import type { CallBody, Endpoint } from './endpoint'
import { notSupported } from './not-supported'
import { replyIdentity } from './text-answer'
import { estimatedUsage } from './text-stream'

/** A checked request for vectors. */
export interface EmbeddingsCall extends CallBody {
  readonly model: string
  readonly body: EmbeddingsBody
  /** Uncalibrated; counted once. */
  readonly tokens: number
  /** No tokens of the client's own counting: what the vendor counts can be compared. */
  readonly isText: boolean
}

/** Room for what the estimate may lack. */
const safetyFactor = 1.1
const safetyTokens = 20

export const embeddingsEndpoint: Endpoint<EmbeddingsCall> = {
  name: 'embeddings',
  models: 'embedding',
  async read(inbound, maxBytes) {
    const { value } = await readJson(inbound.request, maxBytes)
    const body = checkEmbeddingsBody(value)
    const inputs = inputsOf(body)
    const tokens = inputs.reduce(
      (sum, each) => sum + (typeof each === 'string' ? estimateTokens(each) : each.length),
      0,
    )
    const isText = inputs.every((each) => typeof each === 'string')
    return { model: body.model, stream: false, body, tokens, isText }
  },
  estimate({ tokens }, offer, { calibration }) {
    const counted = tokens * factorOf(offer, calibration)
    return {
      low: { input: Math.ceil(counted) },
      high: { input: Math.ceil(counted * safetyFactor + safetyTokens) },
    }
  },
  ask({ body, tokens, model }, target, asked) {
    const { offer, calibration } = asked
    const ability = target.vendor.abilities.embeddings
    if (ability === undefined) throw notSupported('embeddings', offer)
    const mark = clientMark(asked, false)
    const pieces = partsOf(body, ability.mostInputs?.(target) ?? Infinity)
    const [request, ...also] = pieces.map((piece) => ({
      method: 'POST' as const,
      path: ability.path(target),
      contentType: 'application/json',
      body: ability.render(piece, target, mark),
    }))
    if (request === undefined) throw new Error('nothing to ask for')
    return {
      request,
      ...(also.length === 0 ? {} : { also }),
      async answer(first, more) {
        const parts = { pieces, ability, model: offer.model.id }
        const reply = joinEmbeddings(await readParts([first, ...more], parts))
        const guess = Math.ceil(tokens * factorOf(offer, calibration))
        const usage = reply.usage ?? estimatedUsage(guess, 0)
        const encoding = body.encoding_format ?? 'float'
        const identity = replyIdentity(asked, model)
        return {
          kind: 'whole',
          contentType: 'application/json',
          body: renderEmbeddings(reply, identity, encoding, usage),
          usage: () => usage,
        }
      },
    }
  },
  learn({ tokens, isText }, offer, usage, calibration) {
    if (usage.estimated || !isText) return
    const { id, traits } = offer.model
    calibration.learn(id, tokens, inputTokens(usage), traits.tokenFactor)
  },
}

interface AskedParts {
  readonly pieces: readonly EmbeddingsBody[]
  readonly ability: EmbedAbility
  readonly model: string
}

/** @throws Error when a part came with another number of vectors than was asked for */
const readParts = (
  replies: readonly Reply[],
  { pieces, ability, model }: AskedParts,
): Promise<readonly EmbeddingsReply[]> =>
  Promise.all(
    pieces.map(async (body, at) => {
      const reply = ability.readReply((await replies[at]?.text()) ?? '', { model, body })
      if (reply.vectors.length !== inputsOf(body).length)
        throw new Error('another number of vectors than was asked for')
      return reply
    }),
  )

const factorOf = ({ model }: Offer, calibration: Calibration): number =>
  calibration.factor(model.id, model.traits.tokenFactor)
