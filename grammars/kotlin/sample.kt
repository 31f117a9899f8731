// What lop is shown of Kotlin: a bit of each kind of thing.
@file:JvmName("Sample")

package org.example.shapes

import java.util.ArrayList
import kotlin.math.*
import org.example.other as that

const val LIMIT = 0x10
typealias Handler = (name: String, Int) -> Unit

interface Shape<out T : Number> {
    val name: String
    fun area(): T
    fun title(): String = "shape of ${area()} and $name!"
}

enum class Color(val letter: Char) {
    RED('r'),
    GREEN('g') {
        override fun rank() = 2
    };

    open fun rank(): Int = ordinal
}

data class Point(val x: Int, var y: Int = 2)

sealed class Result
object Empty : Result()
class Full<T>(val value: T) : Result(), Comparable<Full<T>> {
    override fun compareTo(other: Full<T>): Int = 0
}

abstract class Base protected constructor(private val id: Int) {
    companion object {
        private const val SIDES = 4
        fun make(): Base? = null
    }

    var count: Long = 0L
        get() = field + 1
        private set(value) {
            field = value
        }

    val lazy by lazy { listOf(1, 2) }

    init {
        println("init $id")
    }

    constructor(name: String, id: Int) : this(id) {
        count = name.length.toLong()
    }

    abstract suspend fun run(vararg names: String)
}

fun <T> List<T>.second(): T where T : Any = this[1]

inline fun sum(numbers: List<Int>, crossinline action: (Int) -> Int): Int {
    var total = 0
    outer@ for (number in numbers) {
        if (number > LIMIT) continue
        else if (number < 0) break@outer
        total += action(number) * 2 - number % 3
    }
    while (total > 100) {
        total /= 2
    }
    do {
        total++
    } while (total < 0 && numbers.isNotEmpty())
    for (i in 0..<10 step 2) println(i)
    return total
}

fun describe(x: Any?): String {
    val text = when (x) {
        null -> "null"
        is String -> x
        in 1..10, 20 -> "small"
        !is Number -> {
            "other"
        }
        else -> """
            many $x
            lines ${x.hashCode()}
        """.trimIndent()
    }
    try {
        if (text == "") throw IllegalStateException("empty\n")
    } catch (e: IllegalStateException) {
        return e.message ?: "none"
    } finally {
        println(text)
    }
    return if (text.length > 3) text else { "short" }
}

fun main() {
    val (x, y) = Point(1, 2)
    val list = ArrayList<Int>().apply { add(x); add(y) }
    val handler: Handler = { name, n -> println(name + n) }
    handler("a", list[0])
    val shape = object : Shape<Double> {
        override val name = "s"
        override fun area() = 1.5e3
    }
    list.map { it * it }.filter { n -> n != 4 && !(n in 5..6) }.forEach(::println)
    val any: Any = shape as? Shape<*> ?: Empty
    println(shape!!.name?.length)
    val negative = -x + y.inv() shl 2
    if (any === shape) { println("same") } else { println(negative) }
    run { describe(x); describe(null) }
}
