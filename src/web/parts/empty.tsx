import { Stack, Text } from '@mantine/core'
import type { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyProps {
  readonly icon: typeof IconKey
  readonly title: string
  readonly lead: string
  readonly children?: ReactNode
}

/** Placeholder of an empty list, with what to do about it. */
export const Empty = ({ icon: Icon, title, lead, children }: EmptyProps) => (
  <Stack align="center" p="xl" gap="xs" ta="center">
    <Icon size={36} stroke={1.2} aria-hidden="true" />
    <Text fw={600}>{title}</Text>
    <Text size="sm" className="soft" maw={460}>
      {lead}
    </Text>
    {children}
  </Stack>
)
