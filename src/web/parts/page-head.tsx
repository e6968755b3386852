import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from '../title'

interface PageHeadProps {
  readonly title: string
  readonly lead?: string
  /** What can be done here. */
  readonly children?: ReactNode
}

/** Heading of a page, in the tab's title too. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  useTitle(title)
  return (
    <Group justify="space-between" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{title}</bdi>
        </Title>
        {lead !== undefined && (
          <Text size="sm" className="soft" mt={4}>
            {lead}
          </Text>
        )}
      </div>
      {children}
    </Group>
  )
}
