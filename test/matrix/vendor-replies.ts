import { anthropicReplies } from './anthropic-replies'
import { chatReplies } from './chat-replies'
import { googleReplies } from './google-replies'
import type { VendorReplies } from './scenarios'

export const vendorKinds = ['openai', 'anthropic', 'google'] as const
export type VendorKind = (typeof vendorKinds)[number]

export const vendorReplies: Readonly<Record<VendorKind, VendorReplies>> = {
  openai: chatReplies,
  anthropic: anthropicReplies,
  google: googleReplies,
}
