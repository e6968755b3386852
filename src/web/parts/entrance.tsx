import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { serviceName } from '../title'
import { Mark } from './mark'
import { Soft } from './panel'
import { PreferencesBar } from './preferences-bar'

interface EntranceProps {
  readonly tagline: string
  /** Below the card. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Frame of the sign-in pages: a card with the service's name. */
export const Entrance = ({ tagline, foot, children }: EntranceProps) => (
  <>
    <div className="tiles" aria-hidden="true" />
    <Group justify="flex-end" p="sm" component="header">
      <PreferencesBar />
    </Group>
    <main className="entrance">
      <div className="card entrance-card">
        <Stack gap="lg">
          <Group gap="sm" wrap="nowrap">
            <Mark size={40} />
            <div>
              <Text fw={700} size="lg" lh={1.2}>
                {serviceName}
              </Text>
              <Soft>{tagline}</Soft>
            </div>
          </Group>
          {children}
        </Stack>
      </div>
      {foot}
    </main>
  </>
)
