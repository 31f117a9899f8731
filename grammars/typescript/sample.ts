// What lop is shown of TypeScript: a bit of each kind of thing.
import type { Reader } from './reader'
import { open, type Handle } from "./open"

export type Id = string | number
type Key<T> = keyof T extends string ? `on${Capitalize<keyof T>}` : never
type Mapped<T> = { readonly [K in keyof T]?: T[K] }
type Call = (first: number, ...rest: string[]) => void

interface Shape<T = number> extends Iterable<T> {
  readonly name: string
  size?: [width: number, height?: number]
  area(unit?: 'cm' | 'm'): T;
  [key: string]: unknown
  new (name: string): Shape<T>
}

enum Color { Red = 1, Green = Red << 1, Blue }

declare module 'outside' {
  export function far(x: any): asserts x is string
}

declare const VERSION: unique symbol

namespace Inner {
  export const value = 1
}

abstract class Base<T extends object> implements Reader {
  private static count = 0
  protected constructor(public readonly id: Id, private data?: T) {}

  abstract read(): Promise<T>

  get size(): number { return this.data ? 1 : 0 }

  @log
  static make<U extends object>(this: void, value: U): Base<U> | undefined {
    return undefined
  }
}

function log(target: any, name: string): void {}

class File extends Base<{ path: string }> {
  override async read(): Promise<{ path: string }> {
    const handle: Handle = await open(this.id as string)
    for (const line of handle.lines) {
      if (line.length > 10) break
      else if (!line) continue
    }
    return { path: handle.path! }
  }
}

function pick(value: string): string
function pick(value: number, flag?: boolean): number
function pick(value: any, flag = false): any {
  switch (typeof value) {
    case 'string':
      return value satisfies string
    default:
      return flag ? value + 1 : <number>value
  }
}

const table: Record<string, Array<Mapped<Shape>>> = {}
const square = <T,>(x: T): T => x
let count: number | null = null, text = `n: ${pick(1, true)}`

export function isFile(x: unknown): x is File {
  try {
    return x instanceof File && (x as File).size > 0
  } catch {
    return false
  } finally {
    count = count ?? 0
  }
}

if (isFile(text)) { count = 1 } else { count = 2 }
export { square as default, type Call, Color, Inner, table, VERSION }
