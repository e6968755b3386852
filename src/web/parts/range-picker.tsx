import { Button, Group, Input, Popover, Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { useMe } from '../me'
import { useNumbers } from '../numbers'
import {
  daysIn,
  rangeNames,
  todayIn,
  type ChosenRange,
  type DayRange,
  type RangeName,
} from '../ranges'
import { lazyPage } from './lazy-page'

const RangeCalendar = lazyPage(
  () => import('./range-calendar').then((part) => part.RangeCalendar),
  <Skeleton h={268} />,
)

/** Pixels: it fits a narrow telephone. */
const dropWidth = 308

interface RangePickerProps {
  /** Null: of any time, where that can be chosen. */
  readonly value: ChosenRange
  readonly onChange: (value: ChosenRange) => void
  readonly allowsAny?: boolean
  /** Whose days they are; the service's unless said otherwise. */
  readonly zone?: string
}

/** Select of a range of days: one of the usual ranges, or any from a calendar. */
export function RangePicker({ value, onChange, allowsAny = false, zone }: RangePickerProps) {
  const today = useToday(zone)
  const t = useTranslations('dates')
  const [opened, { toggle, close }] = useDisclosure(false)
  const choose = (chosen: ChosenRange) => {
    onChange(chosen)
    close()
  }
  return (
    <Input.Wrapper label={t('label')} labelElement="div" labelProps={{ id: 'range-label' }}>
      <Popover
        opened={opened}
        onChange={(open) => !open && close()}
        position="bottom-start"
        width={dropWidth}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            fullWidth
            variant="default"
            justify="flex-start"
            leftSection={<IconCalendar size={16} stroke={1.6} />}
            aria-labelledby="range-label range-value"
            onClick={toggle}
            className="range-value"
          >
            <span id="range-value">
              <Shown value={value} />
            </span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="sm" className="range-drop" aria-label={t('label')}>
          <Stack gap="sm">
            <Presets value={value} allowsAny={allowsAny} onChoose={choose} />
            <RangeCalendar value={value} now={today} onChoose={choose} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  )
}

function Shown({ value }: { readonly value: ChosenRange }) {
  const t = useTranslations('dates')
  if (value === null) return t('ever')
  return typeof value === 'string' ? t(value) : <Days range={value} />
}

/** First and last day of a range, as people read them. */
export function Days({ range: { from, to } }: { readonly range: DayRange }) {
  const t = useTranslations('dates')
  const { date } = useNumbers()
  return from === to ? date(from) : t('between', { from: date(from), to: date(to) })
}

interface PresetsProps {
  readonly value: ChosenRange
  readonly allowsAny: boolean
  readonly onChoose: (value: RangeName | null) => void
}

function Presets({ value, allowsAny, onChoose }: PresetsProps) {
  const t = useTranslations('dates')
  const all = [...(allowsAny ? [null] : []), ...rangeNames]
  return (
    <Group gap={6} role="group" aria-label={t('usual')}>
      {all.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          variant={name === value ? 'filled' : 'default'}
          aria-pressed={name === value}
          onClick={() => onChoose(name)}
        >
          {t(name ?? 'ever')}
        </Button>
      ))}
    </Group>
  )
}

/** The zone whose days the service counts. */
export const useZone = (): string => useMe().data?.zone ?? 'UTC'

/** The beginning of today, as `todayIn` tells it. @param zone the service's unless given */
function useToday(zone?: string): number {
  const usual = useZone()
  return todayIn(zone ?? usual, Date.now())
}

/** The days of what was chosen. @param zone the service's unless given */
export function useDays(chosen: RangeName | DayRange, zone?: string): DayRange
export function useDays(chosen: ChosenRange, zone?: string): DayRange | null
export function useDays(chosen: ChosenRange, zone?: string): DayRange | null {
  const { locale } = useNumbers()
  const today = useToday(zone)
  return chosen === null ? null : daysIn(chosen, locale, today)
}
