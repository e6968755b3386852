import { BarChart } from '@mantine/charts'
import { useDirection } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { daysOf } from '../../ranges'

interface UsageChartProps {
  readonly from: string
  readonly to: string
  readonly days: readonly {
    readonly day: string
    readonly usd: string
    readonly groups: readonly { readonly group: string; readonly usd: string }[]
  }[]
  /** Dearest first; those without a colour of their own are drawn as one. */
  readonly groups: readonly { readonly group: string; readonly name: string }[]
}

const colours = ['1', '2', '3', '4', '5'].map((number) => `var(--chart-${number})`)
const otherColour = 'var(--chart-other)'

/** As many labels as there is room for. */
const maxTicks = (): number => (window.innerWidth < 768 ? 4 : 8)

/** Chart of dollars per day; days without a call stand there as well. */
export function UsageChart({ from, to, days, groups }: UsageChartProps) {
  const t = useTranslations('usage')
  const { usd, amount, day } = useNumbers()
  const { dir } = useDirection()
  const isRtl = dir === 'rtl'
  // SVG text knows no direction of its own: the marks of Unicode give it one.
  const isolated = (text: string) => (isRtl ? `\u2067${text}\u2069` : text)
  const drawn = groups.slice(0, colours.length)
  const hasOther = groups.length > drawn.length
  const byDay = new Map(days.map((each) => [each.day, each]))
  const data = daysOf({ from, to }).map((key) => {
    const found = byDay.get(key)
    const spent = new Map(found?.groups.map(({ group, usd }) => [group, Number(usd)]))
    const parts = drawn.map(({ group }) => [`g${group}`, spent.get(group) ?? 0] as const)
    const rest = Number(found?.usd ?? 0) - parts.reduce((all, [, amount]) => all + amount, 0)
    return { day: isolated(day(key)), ...Object.fromEntries(parts), other: Math.max(0, rest) }
  })
  const series = drawn.map(({ group, name }, at) => ({
    name: `g${group}`,
    label: name,
    color: colours[at] ?? otherColour,
  }))
  return (
    // The bars are in their place whatever the direction: the axes are turned by hand.
    <div dir="ltr" lang="en" className="chart-place" aria-hidden="true">
      <BarChart
        h={260}
        data={data}
        dataKey="day"
        type="stacked"
        series={[
          ...series,
          ...(hasOther ? [{ name: 'other', label: t('others'), color: otherColour }] : []),
        ]}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'bottom' }}
        gridAxis="x"
        strokeDasharray="2 4"
        tickLine="none"
        maxBarWidth={36}
        // The table below says the same to the keyboard and to readers.
        barChartProps={{ accessibilityLayer: false }}
        valueFormatter={(value) => usd(value.toFixed(6), 4)}
        xAxisProps={{
          reversed: isRtl,
          interval: Math.max(0, Math.ceil(data.length / maxTicks()) - 1),
          tickMargin: 8,
        }}
        yAxisProps={{
          orientation: isRtl ? 'right' : 'left',
          width: 68,
          tickMargin: isRtl ? 8 : 4,
          tickFormatter: (value: number) => isolated(amount(value, 6)),
        }}
        tooltipProps={{ isAnimationActive: false, wrapperStyle: { direction: dir } }}
      />
    </div>
  )
}
