import { identifyKey } from '../call/admit'
import type { CallBody, Endpoint } from '../call/endpoint'
import { runCall, type CallParts } from '../call/run'
import type { CallByKey } from '../console/playground'
import { imagesEndpoint } from '../endpoints/images/endpoint'
import { speechEndpoint } from '../endpoints/speech/endpoint'
import { chatFormat } from '../endpoints/text/chat-format'
import { textEndpoint } from '../endpoints/text/endpoint'
import { openAudioEndpoint } from '../endpoints/transcription/endpoint'
import type { Spool } from '../http/spool'

const chatEndpoint = textEndpoint(chatFormat)

/** Calls of the playground through the same spine as those of programs. */
export const openPlaygroundCalls =
  (parts: CallParts & { readonly spool: Spool }): CallByKey =>
  async (call, key, inbound) => {
    const caller = await identifyKey(parts, inbound, key)
    const run = <Body extends CallBody>(endpoint: Endpoint<Body>) =>
      runCall(parts, endpoint, inbound, caller)
    if (call === 'chat') return await run(chatEndpoint)
    if (call === 'images') return await run(imagesEndpoint)
    if (call === 'speech') return await run(speechEndpoint)
    const transcription = openAudioEndpoint('transcribe', parts.spool)
    try {
      return await run(transcription)
    } finally {
      transcription.close()
    }
  }
