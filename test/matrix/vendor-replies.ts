import { anthropicReplies } from './anthropic-replies'
import { chatReplies } from './chat-replies'
import { googleReplies } from './google-replies'
import { responsesReplies } from './responses-replies'
import type { VendorReplies } from './scenarios'

/** `responses` is a vendor of the reference format, and a model of it that only speaks Responses. */
export const vendorKinds = ['openai', 'responses', 'anthropic', 'google'] as const
export type VendorKind = (typeof vendorKinds)[number]

export const vendorReplies: Readonly<Record<VendorKind, VendorReplies>> = {
  openai: chatReplies,
  responses: responsesReplies,
  anthropic: anthropicReplies,
  google: googleReplies,
}
