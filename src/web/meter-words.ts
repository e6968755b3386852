import { useTranslations } from 'use-intl'

/** A meter as people read it: its name, and the size, quality or tool that it is of. */
interface MeterWords {
  readonly name: string
  readonly variant: string | null
}

/** Meters that have a name in words. */
const named = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'input_audio',
  'cached_input_audio',
  'output_audio',
  'input_image',
  'cached_input_image',
  'output_image',
  'image',
  'video_second',
  'audio_second',
  'character',
  'request',
  'tool',
] as const

const plainUnits = {
  image: 'picture',
  video_second: 'second',
  audio_second: 'second',
  request: 'call',
  tool: 'use',
  character: 'characters',
} as const

/** Name of a meter without its variant, and the variant; of a cost, also the tier, speed or region that it is of. */
export function partsOfMeter(meter: string): readonly [base: string, variant: string | null] {
  const at = meter.search(/[:@]/)
  return at < 0 ? [meter, null] : [meter.slice(0, at), meter.slice(at + 1)]
}

/** Meters and their units in words. */
export function useMeterWords() {
  const meters = useTranslations('meters')
  const units = useTranslations('units')
  return {
    meter(meter: string): MeterWords {
      const [base, variant] = partsOfMeter(meter)
      const known = named.find((each) => each === base)
      return { name: known === undefined ? base : meters(known), variant }
    },
    unit(meter: string, unit: 'million' | 'each' | 'minute'): string {
      const [base] = partsOfMeter(meter)
      if (unit === 'minute') return units('minute')
      if (unit === 'million') return units(base === 'character' ? 'characters' : 'tokens')
      return units(plainUnits[base as keyof typeof plainUnits] ?? 'use')
    },
  }
}
