import type { ReactNode } from 'react'

interface DeskRowProps {
  /** In the order of reading; the last stands at the end. */
  readonly children: ReactNode
  readonly below?: ReactNode
}

/** Row of four cells that becomes a card on telephones. */
export const DeskRow = ({ children, below }: DeskRowProps) => (
  <div className="list-link still">
    <div className="desk-row">{children}</div>
    {below}
  </div>
)
