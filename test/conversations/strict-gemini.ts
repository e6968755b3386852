import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { geminiEvent, isStreaming } from '../support/google-stand-in'
import { streamReply } from '../support/stand-in'
import {
  each,
  emptyRead,
  onlyMembers,
  refuse,
  shown,
  words,
  type Memory,
  type Read,
  type Wire,
} from './wire'

/*
 * `generateContent` as Google takes it (ai.google.dev, function calling and thought signatures, November 2026).
 */

const members =
  'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels'
const data = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse']
/** Documented for calls that another model made. */
const unsigned = 'skip_thought_signature_validator'

const partsOf = (content: Fields, where: string): readonly Fields[] => {
  onlyMembers(content, 'role parts', where)
  const parts = each(content['parts'])
  if (parts.length === 0) refuse(`${where}.parts: must include at least one parts field`)
  for (const part of parts) {
    onlyMembers(part, `${data.join(' ')} thought thoughtSignature`, `${where}.parts`)
    if (data.filter((name) => part[name] !== undefined).length !== 1)
      refuse(`${where}.parts: contents.parts must have one initialized field`)
  }
  return parts
}

const called = (parts: readonly Fields[]): readonly Fields[] =>
  parts.flatMap((part) =>
    part['functionCall'] === undefined ? [] : [fieldsOf(part['functionCall'])],
  )

function checkModel(parts: readonly Fields[], memory: Memory, isCurrent: boolean, where: string) {
  for (const { thoughtSignature: seal } of parts)
    if (
      seal !== undefined &&
      seal !== unsigned &&
      (typeof seal !== 'string' || !memory.seals.has(seal))
    )
      refuse(`${where}: Corrupted thought signature.`)
  const first = parts.find((part) => part['functionCall'] !== undefined)
  if (isCurrent && first !== undefined && first['thoughtSignature'] === undefined)
    refuse(`${where}: Function call is missing a thought_signature in functionCall parts.`)
}

function readUser(parts: readonly Fields[], open: readonly Fields[], into: Read, where: string) {
  const responses = parts.flatMap((part) =>
    part['functionResponse'] === undefined ? [] : [fieldsOf(part['functionResponse'])],
  )
  if (responses.length !== open.length)
    refuse(`${where}: number of function response parts is not that of the function call turn`)
  responses.forEach((response, at) => {
    onlyMembers(response, 'id name response parts willContinue scheduling', where)
    if (response['name'] !== open[at]?.['name'] || response['id'] !== open[at]?.['id'])
      refuse(`${where}: response ${at} is of another call`)
    if (typeof response['response'] !== 'object') refuse(`${where}: response is no object`)
    into.results.push(JSON.stringify(response['response']))
    for (const part of each(response['parts'])) readPicture(part, into, where)
  })
  for (const part of parts)
    if (typeof part['text'] === 'string') into.said.push(part['text'])
    else readPicture(part, into, where)
}

function readPicture(part: Fields, into: Read, where: string): void {
  if (part['inlineData'] === undefined) return
  const { mimeType, data: bytes } = fieldsOf(part['inlineData'])
  if (mimeType !== 'image/png') refuse(`${where}: Unsupported MIME type: ${shown(mimeType)}`)
  into.pictures.push(String(bytes))
}

export const geminiWire: Wire = {
  read(body, memory, path) {
    onlyMembers(body, members, 'body')
    const read = emptyRead()
    const contents = each(body['contents'])
    if (contents[0]?.['role'] !== 'user') refuse('function call turn comes first')
    const isAnswerless = (content: Fields) =>
      content['role'] === 'user' &&
      each(content['parts']).every((part) => part['functionResponse'] === undefined)
    const current = contents.findLastIndex(isAnswerless)
    let open: readonly Fields[] = []
    contents.forEach((content, at) => {
      const where = `contents[${at}]`
      const parts = partsOf(content, where)
      if (content['role'] === 'model') {
        if (open.length > 0) refuse(`${where}: function call turn after a function call turn`)
        checkModel(parts, memory, at > current, where)
        open = called(parts)
      } else if (content['role'] === 'user') {
        readUser(parts, open, read, where)
        open = []
      } else refuse(`${where}.role: Please use a valid role: user, model.`)
    })
    if (open.length > 0) refuse('the last function call has no response')
    const declared = each(body['tools']).flatMap((tool) => each(tool['functionDeclarations']))
    for (const { name } of declared)
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(String(name)))
        refuse(`Invalid function name ${shown(name)}`)
    read.tools.push(...declared.map(({ name }) => String(name)))
    const thinking = fieldsOf(fieldsOf(body['generationConfig'])['thinkingConfig'])
    return { ...read, stream: isStreaming({ path }), thinks: thinking['includeThoughts'] === true }
  },

  answer({ model, at, thought, text, call, counted }, { stream, thinks }, memory) {
    const thoughtSignature = `seal+${model}/${at}==`
    memory.seals.set(thoughtSignature, thought)
    const sealed = call === null ? { text: '', thoughtSignature } : null
    const parts: readonly object[][] = [
      thinks ? [{ text: thought, thought: true }] : [],
      ...words(text).map((word) => [{ text: word }]),
      call === null
        ? sealed === null
          ? []
          : [sealed]
        : [{ functionCall: { id: `g${at}`, name: call.name, args: call.input }, thoughtSignature }],
    ]
    const usageMetadata = {
      promptTokenCount: counted.input,
      cachedContentTokenCount: counted.cached,
      candidatesTokenCount: counted.output - counted.thought,
      thoughtsTokenCount: counted.thought,
      totalTokenCount: counted.input + counted.output,
    }
    const reply = (said: readonly object[], isLast: boolean) => ({
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: said },
          ...(isLast ? { finishReason: 'STOP' } : {}),
        },
      ],
      usageMetadata,
      modelVersion: 'gemini-of-the-vendor',
      responseId: `r${at}`,
    })
    const pieces = parts.filter((said) => said.length > 0)
    return stream
      ? streamReply(pieces.map((said, n) => geminiEvent(reply(said, n === pieces.length - 1))))
      : Response.json(reply(pieces.flat(), true))
  },

  failure: (message) => ({
    error: { code: 400, message, status: 'INVALID_ARGUMENT', details: [] },
  }),
}
