import { anthropicReplies } from './anthropic-replies'
import { chatReplies } from './chat-replies'
import { googleReplies } from './google-replies'
import { responsesReplies } from './responses-replies'
import { streamReply, type StandIn } from '../support/stand-in'
import type { Scenario, VendorReplies } from './scenarios'

/** `responses` is a vendor of the reference format, and a model of it that only speaks Responses. */
export const vendorKinds = ['openai', 'responses', 'anthropic', 'google'] as const
export type VendorKind = (typeof vendorKinds)[number]

export const vendorReplies: Readonly<Record<VendorKind, VendorReplies>> = {
  openai: chatReplies,
  responses: responsesReplies,
  anthropic: anthropicReplies,
  google: googleReplies,
}

/** From now on the vendor answers so, streamed where a stream is wanted. */
export function playScenario(vendor: StandIn, kind: VendorKind, scenario: Scenario): void {
  const replies = vendorReplies[kind]
  vendor.play((seen) =>
    replies.streams(seen)
      ? streamReply(replies.events(scenario))
      : Response.json(replies.whole(scenario)),
  )
}
