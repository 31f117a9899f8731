// What lop is shown of TypeScript with JSX: a bit of each kind of thing.
import * as React from 'react'

interface Props<T> {
  items: T[]
  title?: string
  render(item: T, index: number): JSX.Element
}

type State = { open: boolean; count: number } | null

const styles = { list: 'a b', item: `c ${1}` } as const

function List<T extends { id: string }>({ items, title = 'none', render }: Props<T>) {
  const [state, setState] = React.useState<State>(null)
  const total = items.length > 0 ? items.length : 0

  if (!state) return <p className="empty">nothing</p>

  return (
    <section id="list" {...styles}>
      <h1>{title} &amp; more</h1>
      {items.map((item, index) => (
        <div key={item.id} onClick={() => setState({ ...state, count: state.count + 1 })}>
          {render(item, index)}
        </div>
      ))}
      <>
        <br />
        <input type="text" disabled value={total as number} />
      </>
    </section>
  )
}

class Counter extends React.Component<{ start: number }, { n: number }> {
  state = { n: this.props.start }
  private timer?: number

  componentDidMount(): void {
    this.timer = window.setInterval(() => {
      this.setState(({ n }) => ({ n: n + 1 }))
    }, 1000)
  }

  render() {
    const { n } = this.state
    for (let i = 0; i < n; i++) {
      if (i % 2) continue
      console.log(i)
    }
    return <span title={`n: ${n}`}>{n > 3 ? <b>{n}</b> : n}</span>
  }
}

export default function App(): JSX.Element {
  const items = [{ id: 'a' }, { id: 'b' }]
  return <List items={items} render={item => <Counter start={item.id.length} />} />
}
