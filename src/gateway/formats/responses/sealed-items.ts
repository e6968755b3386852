import { GatewayError } from '../../../errors/gateway-error'
import { fieldsOf, listOf, type Fields } from '../../json/fields'
import type { ResponsesBody } from './schema'

/*
 * Compaction items: a conversation that was made shorter, sealed so that its client can keep it but
 * not read it. Those of ours hold a summary; those of a vendor are sealed once more, so that they come
 * back to the vendor that gave them and to no other.
 * https://developers.openai.com/api/docs/guides/conversation-state#compaction-advanced (2026-11)
 */

/** Content of a compaction item given out here. */
export type SealedContent =
  | { readonly kind: 'summary'; readonly text: string }
  | {
      readonly kind: 'vendor'
      readonly vendor: string
      /** As the vendor sealed it. */
      readonly content: string
    }

export type Seal = (content: SealedContent) => string

/**
 * Opens a sealed text.
 * @returns `foreign` for what was never sealed here; null for what is broken or another project's
 */
export type Unseal = (sealed: string) => SealedContent | 'foreign' | null

const isCompaction = (item: unknown): boolean => fieldsOf(item)['type'] === 'compaction'

/** More than a conversation ever needs: each costs time to open. */
const maxItems = 100

/**
 * Opens the compaction items of a request: a summary becomes a message of the user, who is trusted no
 * more than what it was made of; a vendor's item becomes what the vendor gave.
 * @returns null where there is none
 * @throws invalid_message
 */
export function unsealItems(raw: ResponsesBody, unseal: Unseal) {
  const { input } = raw
  if (typeof input === 'string' || !input.some(isCompaction)) return null
  /** The one vendor that can read items of its own in it. */
  let only: { readonly vendor: string; readonly param: string } | null = null
  let count = 0
  const items = input.map((item: Fields, index) => {
    if (!isCompaction(item)) return item
    const at = `input[${index}]`
    const { encrypted_content: sealed } = item
    if (typeof sealed !== 'string') throw invalidItem(`${at}.encrypted_content`, 'a string')
    if (++count > maxItems) throw invalidItem(at, `one of at most ${maxItems} such items`)
    const content = unseal(sealed)
    if (content === 'foreign') return item
    if (content === null)
      throw invalidItem(`${at}.encrypted_content`, 'unchanged, and of this project')
    if (content.kind === 'summary') return summaryMessage(content.text)
    only ??= { vendor: content.vendor, param: at }
    if (only.vendor !== content.vendor) throw invalidItem(at, 'an item of the same vendor')
    return { ...item, encrypted_content: content.content }
  })
  return { raw: { ...raw, input: items }, set: { input: items }, only }
}

const invalidItem = (param: string, expected: string) =>
  new GatewayError('invalid_message', { field: param, expected }, { param })

/** The place of an item that only its vendor can read, once those of ours are opened; null for none. */
export function vendorItem({ input }: ResponsesBody): string | null {
  const index = listOf(input).findIndex(isCompaction)
  return index < 0 ? null : `input[${index}]`
}

const summaryHead =
  'Everything before this point of the conversation was replaced by this summary of it:\n\n'

const summaryMessage = (text: string): Fields => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: summaryHead + text }],
})

/** Whether a message stands for an earlier summary. */
export function isSummary({ content }: Fields): boolean {
  const { text } = fieldsOf(listOf(content)[0])
  return typeof text === 'string' && text.startsWith(summaryHead)
}

/** Seals a vendor's own item once more. @returns null where it is none */
export function sealVendorItem(
  item: unknown,
  seal: (vendorSealed: string) => string,
): Fields | null {
  const { encrypted_content: sealed } = fieldsOf(item)
  if (!isCompaction(item) || typeof sealed !== 'string' || sealed === '') return null
  return { ...fieldsOf(item), encrypted_content: seal(sealed) }
}

/** Seals compaction items of a whole output. @returns null where there is none */
export function sealVendorItems(
  output: readonly unknown[],
  seal: (vendorSealed: string) => string,
): readonly unknown[] | null {
  if (!output.some(isCompaction)) return null
  return output.map((item) => sealVendorItem(item, seal) ?? item)
}

/** Seals the items of one stream, which tells each of them more than once, the same each time. */
export function openVendorSeal(seal: (vendorSealed: string) => string) {
  const known = new Map<string, string>()
  return {
    seal(vendorSealed: string): string {
      const sealed = known.get(vendorSealed) ?? seal(vendorSealed)
      known.set(vendorSealed, sealed)
      return sealed
    },
    sealedAny: () => known.size > 0,
  }
}
