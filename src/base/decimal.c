// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/decimal.h"

#include <string.h>

#include "base/checks.h"

// 10^p = 5^p * 2^p, so only powers of five are ever computed. Powers up to 5^27 fit in 64 bits, and one multiplication
// or division of 128 bits is then exact. This is enough for nearly every number in a file. Larger powers use long
// integers, which are slower but need no tables and error bounds, unlike the published fast methods (Ryu,
// Eisel-Lemire).

enum { LARGEST_EXACT_POWER = 27, WORD_COUNT = 96 };

static const uint64_t powers_of_five[LARGEST_EXACT_POWER + 1] = {1ull, 5ull, 25ull, 125ull, 625ull, 3125ull, 15625ull,
    78125ull, 390625ull, 1953125ull, 9765625ull, 48828125ull, 244140625ull, 1220703125ull, 6103515625ull,
    30517578125ull, 152587890625ull, 762939453125ull, 3814697265625ull, 19073486328125ull, 95367431640625ull,
    476837158203125ull, 2384185791015625ull, 11920928955078125ull, 59604644775390625ull, 298023223876953125ull,
    1490116119384765625ull, 7450580596923828125ull};

static int bit_length(uint64_t value)
{
    int length = 0;
    for (int step = 32; step != 0; step /= 2) {
        if (value >> step != 0) {
            value >>= step;
            length += step;
        }
    }
    return length + (value != 0);
}

// --- 128 bits ------------------------------------------------------------------------------------------------------

static void multiply(uint64_t a, uint64_t b, uint64_t *out_high, uint64_t *out_low)
{
    const uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
    const uint64_t low = al * bl;
    const uint64_t middle = ah * bl + (low >> 32);
    const uint64_t cross = al * bh + (middle & UINT32_MAX);
    *out_high = ah * bh + (middle >> 32) + (cross >> 32);
    *out_low = cross << 32 | (low & UINT32_MAX);
}

// Returns one 32-bit digit of high:next / divisor and leaves the remainder in `high`. The divisor must be normalised.
// (Knuth, TAOCP 2, 4.3.1 D)
static uint64_t divide_digit(uint64_t *high, uint64_t next, uint64_t divisor)
{
    const uint64_t top = divisor >> 32, bottom = divisor & UINT32_MAX;
    uint64_t digit = *high / top;
    uint64_t rest = *high % top;
    while (digit > UINT32_MAX || digit * bottom > (rest << 32 | next)) {
        --digit;
        rest += top;
        if (rest > UINT32_MAX) {
            break;
        }
    }
    *high = (*high << 32) + next - digit * divisor; // modulo 2^64; the true value fits in 64 bits
    return digit;
}

// Returns high:low / divisor. `high` must be less than the divisor, which must be normalised.
static uint64_t divide(uint64_t high, uint64_t low, uint64_t divisor, bool *out_rest)
{
    const uint64_t first = divide_digit(&high, low >> 32, divisor);
    const uint64_t second = divide_digit(&high, low & UINT32_MAX, divisor);
    *out_rest = high != 0;
    return first << 32 | second;
}

static void scale_exactly(uint64_t value, int power, vrmi_scaled *out)
{
    const int shift = 64 - bit_length(value);
    value <<= shift;
    out->exponent = power - shift;
    if (power >= 0) {
        uint64_t high, low;
        multiply(value, powers_of_five[power], &high, &low);
        const int up = high == 0 ? 64 : 64 - bit_length(high);
        out->bits = up == 64 ? low : up == 0 ? high : high << up | low >> (64 - up);
        out->more = up != 64 && low << up != 0;
        out->exponent += 64 - up;
        return;
    }
    const uint64_t five = powers_of_five[-power];
    const int five_shift = 64 - bit_length(five);
    const uint64_t divisor = five << five_shift;
    // The value and the divisor both have their highest bit set. Halving a larger value keeps the quotient within 64
    // bits; its highest or second highest bit is then 1.
    const bool halve = value >= divisor;
    out->bits = divide(halve ? value >> 1 : value, halve ? value << 63 : 0, divisor, &out->more);
    out->exponent += five_shift - 64 + halve;
}

// --- long integers -------------------------------------------------------------------------------------------------

// Little-endian words; the highest is not 0. The capacity is enough for 800 digits or for 5^1200, each shifted by a
// word.
typedef struct long_integer {
    uint32_t words[WORD_COUNT];
    int count;
} long_integer;

static void multiply_add(long_integer *number, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < number->count; ++i) {
        carry += (uint64_t)number->words[i] * factor;
        number->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        number->words[number->count++] = (uint32_t)carry;
    }
}

static void multiply_by_power_of_five(long_integer *number, int power)
{
    for (; power >= 13; power -= 13) {
        multiply_add(number, 1220703125u, 0);
    }
    multiply_add(number, (uint32_t)powers_of_five[power], 0);
}

static int long_bit_length(const long_integer *number)
{
    return (number->count - 1) * 32 + bit_length(number->words[number->count - 1]);
}

static void shift_left(long_integer *number, int bits)
{
    const int words = bits / 32;
    if (words != 0) {
        memmove(number->words + words, number->words, (size_t)number->count * sizeof(uint32_t));
        memset(number->words, 0, (size_t)words * sizeof(uint32_t));
        number->count += words;
    }
    if (bits % 32 != 0) {
        multiply_add(number, 1u << bits % 32, 0);
    }
}

// Subtracts b from a if a >= b. Otherwise returns false and does not change a.
static bool subtract_if_not_less(long_integer *a, const long_integer *b)
{
    if (a->count != b->count) {
        if (a->count < b->count) {
            return false;
        }
    } else {
        int i = a->count - 1;
        while (i > 0 && a->words[i] == b->words[i]) {
            --i;
        }
        if (a->words[i] < b->words[i]) {
            return false;
        }
    }
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        const uint64_t difference = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
        a->words[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->count > 1 && a->words[a->count - 1] == 0) {
        --a->count;
    }
    return true;
}

static bool is_zero(const long_integer *number)
{
    return number->count == 1 && number->words[0] == 0;
}

// Keeps the highest 64 bits of a long integer.
static void round_down(const long_integer *number, int exponent, vrmi_scaled *out)
{
    const int length = long_bit_length(number);
    out->bits = 0;
    out->more = false;
    out->exponent = exponent + length - 64;
    for (int i = number->count - 1; i >= 0; --i) {
        const int shift = i * 32 - (length - 64); // bit position of this word in the result
        if (shift >= 0) {
            out->bits |= (uint64_t)number->words[i] << shift;
        } else if (shift > -32) {
            out->bits |= number->words[i] >> -shift;
            out->more = out->more || number->words[i] << (32 + shift) != 0;
        } else {
            out->more = out->more || number->words[i] != 0;
        }
    }
}

// Computes number * 10^power.
static void scale_long(long_integer *number, int power, vrmi_scaled *out)
{
    if (power >= 0) {
        multiply_by_power_of_five(number, power);
        round_down(number, power, out);
        return;
    }
    long_integer divisor = {.words = {1}, .count = 1};
    multiply_by_power_of_five(&divisor, -power);
    const int difference = long_bit_length(number) - long_bit_length(&divisor);
    if (difference > 0) {
        shift_left(&divisor, difference);
    } else {
        shift_left(number, -difference);
    }
    // Computes the quotient bit by bit. Its first or second bit is 1.
    out->bits = 0;
    out->exponent = power + difference + 1;
    while (out->bits >> 63 == 0) {
        const bool bit = subtract_if_not_less(number, &divisor);
        out->bits = out->bits << 1 | bit;
        --out->exponent;
        shift_left(number, 1);
    }
    out->more = !is_zero(number);
}

void vrmi_scale(uint64_t value, int power, vrmi_scaled *out)
{
    if (power >= -LARGEST_EXACT_POWER && power <= LARGEST_EXACT_POWER) {
        scale_exactly(value, power, out);
        return;
    }
    long_integer number = {.words = {(uint32_t)value, (uint32_t)(value >> 32)}, .count = value >> 32 != 0 ? 2 : 1};
    scale_long(&number, power, out);
}

void vrmi_scale_digits(const char *digits, size_t count, int power, vrmi_scaled *out)
{
    VRM_VALIDATE(count <= VRMI_MAX_DIGITS);
    long_integer number = {.words = {0}, .count = 1};
    for (size_t i = 0; i < count; ++i) {
        multiply_add(&number, 10, (uint32_t)(digits[i] - '0'));
    }
    scale_long(&number, power, out);
}
