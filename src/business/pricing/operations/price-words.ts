import { priceLine } from '../../../gateway/metering/pricing-view'
import { lineKey } from '../../../gateway/catalogue/cards'

/* Prices as they are typed. */

/** The two halves of `NAME=VALUE`. @throws RangeError */
export function nameAndValue(text: string): readonly [name: string, value: string] {
  const cut = text.indexOf('=')
  if (cut <= 0) throw new RangeError('NAME=VALUE is needed.')
  return [text.slice(0, cut), text.slice(cut + 1)]
}

type Billed = Readonly<Record<string, string>>

/** `KEY=USD`, one more of the prices that a vendor bills. @throws RangeError */
export function readBilled(text: string, earlier: Billed = {}): Billed {
  const [key, usd] = text === 'default' ? [text, 'none'] : nameAndValue(text)
  if (usd === 'none')
    throw new RangeError('say every price that it bills; there is no default and no none')
  const line = lineKey(priceLine(key, usd))
  if (Object.entries(earlier).some((each) => lineKey(priceLine(...each)) === line))
    throw new RangeError('That price was given before.')
  return { ...earlier, [key]: usd }
}

type ModelPrices = Readonly<Record<string, string | null>>

/** `KEY=USD`, one more price of a model; null for `KEY=none`; `default`: those of its rule. @throws RangeError */
export function readPrices(
  text: string,
  earlier?: ModelPrices | 'default',
): ModelPrices | 'default' {
  if (earlier === 'default' || (text === 'default' && earlier !== undefined))
    throw new RangeError('Say either default, or prices.')
  if (text === 'default') return text
  const [key, usd] = nameAndValue(text)
  const line = lineKey(priceLine(key, usd === 'none' ? '0' : usd))
  if (Object.keys(earlier ?? {}).some((each) => lineKey(priceLine(each, '0')) === line))
    throw new RangeError('That price was given before.')
  return { ...earlier, [key]: usd === 'none' ? null : usd }
}

/** The parts of `VENDOR:MODEL`. @throws RangeError */
export function readPlace(text: string): {
  readonly vendor: string
  readonly vendor_model: string
} {
  const [, vendor, vendor_model] = /^([^:]+):(.+)$/s.exec(text) ?? []
  if (vendor === undefined || vendor_model === undefined)
    throw new RangeError('say VENDOR:MODEL, such as openai:gpt-4o')
  return { vendor, vendor_model }
}
