import { Tabs } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Sample, SampleFacts } from '../../samples'
import { CopyLines } from '../copy-once'

interface SampleTabsProps {
  readonly samples: readonly Sample[]
  readonly facts: SampleFacts
}

/** Samples to paste, one a tab: curl, Python, Node, and coding tools. */
export function SampleTabs({ samples, facts }: SampleTabsProps) {
  const t = useTranslations('keyMade')
  return (
    <Tabs
      defaultValue={samples[0]?.name ?? ''}
      keepMounted={false}
      styles={{ tab: { paddingInline: 9 } }}
    >
      <Tabs.List dir="ltr">
        {samples.map(({ name }) => (
          <Tabs.Tab key={name} value={name} lang="en">
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ name, text }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <CopyLines text={text(facts)} label={t('sample', { name })} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
