import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { estimatedUsage, inputTokens } from '../../../domain/usage'
import {
  embeddingsIn,
  joinEmbeddings,
  renderEmbeddings,
  type EmbeddingsReply,
} from '../../formats/embeddings/reply'
import { scanEmbeddings } from '../../formats/embeddings/scan'
import {
  checkEmbeddingsBody,
  inputsOf,
  partsOf,
  type EmbeddingInput,
  type EmbeddingsBody,
} from '../../formats/embeddings/schema'
import { readJson } from '../../http/json-body'
import { FirmTally } from '../../metering/exact-tally'
import { TokenTally, type TextTally } from '../../metering/token-tally'
import type { Reply } from '../../outbound/http1/reply'
import type { EmbedAbility } from '../../vendors/vendor'
import { bodyOf } from '../byte-pieces'
import { clientMark } from '../client-mark'
import { refusePrivateUrls } from '../fetched-urls'
import type { CallBody, Endpoint, Estimate } from '../../call/endpoint'
import { notSupported } from '../not-supported'
import { sellerConditions } from '../seller-conditions'
import { factorOf, minFactor } from '../text/text-estimate'
import { jsonText, replyBytes, replyIdentity } from '../whole-reply'

/** A checked request for vectors. */
interface EmbeddingsCall extends CallBody {
  readonly model: string
  readonly body: EmbeddingsBody
  /** Uncalibrated; counted once. */
  readonly tokens: number
  /** The most that it can come to. */
  readonly maxTokens: number
  /** No tokens of the client's own counting: what the vendor counts can be compared. */
  readonly isText: boolean
}

/** Margin for errors of the estimate. */
const safetyFactor = 1.1
const safetyTokens = 20

/** The endpoint of embeddings. */
export const embeddingsEndpoint: Endpoint<EmbeddingsCall> = {
  name: 'embeddings',
  models: 'embedding',
  async read(inbound, maxBytes) {
    const { value } = await readJson(inbound.request, maxBytes)
    const body = checkEmbeddingsBody(value)
    refusePrivateUrls(body)
    const inputs = inputsOf(body)
    const tokens = await tokensOf(inputs, new TokenTally())
    const maxTokens = inputs.reduce((sum, each) => sum + maxTokensOf(each), 0)
    const isText = inputs.every((each) => typeof each === 'string')
    return { model: body.model, stream: false, body, tokens, maxTokens, isText }
  },
  estimate: (call, offer, { calibration }) =>
    guessOf(call, call.tokens * factorOf(offer, calibration)),
  async recount(call, offer, { calibration }) {
    const isOther = offer.model.traits.vocabulary === undefined
    const tokens = await tokensOf(inputsOf(call.body), new FirmTally(isOther))
    if (!isOther) return estimateOf(call, tokens, tokens)
    const guess = call.tokens * factorOf(offer, calibration)
    const held = Math.max(guess * safetyFactor, tokens * minFactor(offer, calibration))
    return estimateOf(call, guess, held)
  },
  async ask({ body, tokens, model }, target, asked) {
    const { offer, calibration } = asked
    const ability = target.vendor.abilities.embeddings
    if (ability === undefined) throw notSupported('embeddings', offer)
    const conditions = sellerConditions(body, target, { endpoint: 'embeddings', offer })
    const mark = clientMark(asked, { stream: false, conditions })
    const pieces = partsOf(body, ability.maxInputs?.(target) ?? Infinity)
    const [request, ...also] = pieces.map((piece) => ({
      method: 'POST' as const,
      path: ability.path(target),
      contentType: 'application/json',
      body: ability.render(piece, target, mark),
    }))
    if (request === undefined) throw new Error('no vendor request')
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
        const rendered = await renderEmbeddings(reply, identity, encoding, usage)
        return {
          kind: 'whole',
          contentType: 'application/json',
          body: typeof rendered === 'string' ? rendered : await bodyOf(rendered),
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

/** @param tokens as its vendor is taken to count them */
const guessOf = (call: EmbeddingsCall, tokens: number): Estimate =>
  estimateOf(call, tokens, tokens * safetyFactor)

const estimateOf = ({ maxTokens }: EmbeddingsCall, tokens: number, held: number): Estimate => ({
  low: { input: Math.ceil(tokens) },
  usual: { input: Math.ceil(held + safetyTokens) },
  possible: { inputTokens: maxTokens, outputTokens: 0, others: {} },
})

/** Uncalibrated. */
async function tokensOf(inputs: readonly EmbeddingInput[], tally: TextTally): Promise<number> {
  let sum = 0
  const add = (tokens: number) => void (sum += tokens)
  for (const each of inputs)
    if (typeof each === 'string') tally.text(each, add)
    else sum += each.length
  if (tally.waits) await tally.rest()
  return sum
}

/** Marks that a vendor puts around each input, or tells by its own words what it is for. */
const vendorWords = 64

/** No text makes more tokens than it has bytes. */
const maxTokensOf = (input: EmbeddingInput): number =>
  vendorWords + (typeof input === 'string' ? Buffer.byteLength(input) : input.length)

interface RequestedParts {
  readonly pieces: readonly EmbeddingsBody[]
  readonly ability: EmbedAbility
  readonly model: string
}

const maxPartBytes = (part: EmbeddingsBody | undefined): number =>
  maxAnswerBytes('embeddings', { count: part === undefined ? 1 : inputsOf(part).length })

/** Smaller replies are parsed. */
const scannedBytes = 262_144

/** @throws Error when a part came with another number of vectors than was asked for */
async function readParts(
  replies: readonly Reply[],
  { pieces, ability, model }: RequestedParts,
): Promise<readonly EmbeddingsReply[]> {
  const came = await Promise.all(
    replies.map((reply, at) => replyBytes(reply, maxPartBytes(pieces[at]))),
  )
  const read: EmbeddingsReply[] = []
  // One after the other: each may be long.
  for (const [at, body] of pieces.entries()) {
    const bytes = came[at] ?? new Uint8Array()
    const count = inputsOf(body).length
    const passes = ability.isReference === true && bytes.byteLength > scannedBytes
    const scanned = passes ? await scanEmbeddings(bytes, count) : null
    const reply =
      scanned === null
        ? ability.readReply(await jsonText(bytes), { model, body })
        : embeddingsIn(scanned)
    if (reply.vectors.length !== count) throw new Error('embedding count mismatch')
    read.push(reply)
  }
  return read
}
