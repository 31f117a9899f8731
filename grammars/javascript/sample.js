// What lop is shown of JavaScript: a bit of each kind of thing.
'use strict';
import fs, { readFile as read } from 'fs';
import * as path from "path";

export const limit = 0x10, names = ['one', `two ${1 + 1}`];

let count = 0
var table = { a: 1, 'b': [1, , 3], [`c${count}`]: null, get d() { return 4 }, e() {}, ...names }

function sum(first, second = 2, ...rest) {
  let total = first + second
  for (let i = 0; i < rest.length; i++) {
    if (rest[i] > limit) continue
    else if (rest[i] < 0) break
    total += rest[i] ** 2
  }
  for (const key in table) total ^= table[key]
  for (const { x, y: [z] } of rest) {
    total -= x?.w ?? z
  }
  return total
}

class Shape extends Object {
  static sides = 4
  #id = 1

  constructor(name) {
    super()
    this.name = name
  }

  get id() { return this.#id }

  static async *make(n) {
    while (n-- > 0) yield new Shape(`s${n}`)
  }
}

export default class extends Shape {
  area = () => this.width * this.height
}

const square = x => x * x, swap = ([a, b]) => ({ a: b, b: a })

async function run(file) {
  try {
    const text = await read(file, { encoding: 'utf8' })
    if (/^[a-z]+\/x$/gi.test(text)) {
      throw new Error(`bad: ${text.length > 3 ? text : 'short'}!`)
    }
  } catch ({ message }) {
    console.log(message)
  } finally {
    count++
  }

  outer: do {
    switch (count) {
      case 1:
      case 2: {
        count = square(count)
        break outer
      }
      default:
        count = -count
    }
  } while (count < 10 && !file)

  if (count) { count = 1 } else { count = 2 }
  return typeof file === 'string' ? file : void 0
}

const view = <ul id="list" {...table}>
  <li key={count}>text {names[0]}</li>
  <br />
</ul>

;(function () { delete table.a })()
run?.(path.join(fs.cwd(), 'a')).then(function* () { yield* names }, null)
const [p, q = 1, ...r] = names; const { s, ...t } = table
label: for (;;) { break label }
export { count, sum as add, swap, view, p, q, r, s, t }
