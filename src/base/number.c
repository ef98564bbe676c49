// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <float.h>
#include <string.h>

#include "base/checks.h"
#include "base/decimal.h"
#include "base/text.h"

// --- reading -------------------------------------------------------------------------------------------------------

static double double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Returns the bits of the nearest double without the sign. Ties go to the even number.
static uint64_t round_to_double(const vrmi_scaled *scaled)
{
    const int top = scaled->exponent + 63; // exponent of the highest bit
    if (top > 1023) {
        return 0x7FFull << 52;
    }
    // A double has 53 bits of precision and no bit below 2^-1074.
    const int drop = top >= -1022 ? 11 : 11 + (-1022 - top);
    if (drop > 64) {
        return 0;
    }
    const uint64_t kept = drop == 64 ? 0 : scaled->bits >> drop;
    const uint64_t half = 1ull << (drop - 1);
    const uint64_t rest = drop == 64 ? scaled->bits : scaled->bits & ((1ull << drop) - 1);
    const bool up = rest > half || (rest == half && (scaled->more || (kept & 1) != 0));
    // Adding the mantissa's hidden bit increments the biased exponent. A carry out of the mantissa also increments it,
    // which may give infinity.
    const uint64_t biased = top >= -1022 ? (uint64_t)(top + 1022) : 0;
    return (biased << 52) + kept + up;
}

// A JSON number split into mantissa * 10^power. The exact value is larger if nonzero digits were left out.
typedef struct decimal_parts {
    const char *digits; // from the first nonzero digit on; may contain the decimal point
    const char *digits_end;
    uint64_t mantissa; // the number that the first 19 digits form
    int64_t power;
    bool left_out; // nonzero digits follow the first 19
    bool negative;
} decimal_parts;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *scan_digits(const char *at, const char *end, bool fraction, int *digit_count, decimal_parts *out)
{
    for (; at < end && is_digit(*at); ++at) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (*digit_count == 0 && digit == 0) {
            out->power -= fraction;
            continue;
        }
        if (*digit_count == 0) {
            out->digits = at;
        }
        if (*digit_count < 19) {
            out->mantissa = out->mantissa * 10 + digit;
            ++*digit_count;
            out->power -= fraction;
        } else {
            out->left_out = out->left_out || digit != 0;
            out->power += !fraction;
        }
        out->digits_end = at + 1;
    }
    return at;
}

static const char *scan_exponent(const char *at, const char *end, decimal_parts *out)
{
    const char *digit = at + 1;
    if (at == end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    const bool negative = digit < end && *digit == '-';
    digit += digit < end && (*digit == '-' || *digit == '+');
    if (digit == end || !is_digit(*digit)) {
        return at; // there is no exponent
    }
    int64_t exponent = 0;
    for (; digit < end && is_digit(*digit); ++digit) {
        // Beyond this limit, no number of digits that fits in memory brings the value back into range.
        exponent = exponent < INT64_MAX / 100 ? exponent * 10 + (*digit - '0') : exponent;
    }
    out->power += negative ? -exponent : exponent;
    return digit;
}

// Returns the end of the longest JSON number at the start of the text; NULL if there is none.
static const char *scan_number(const char *text, const char *end, decimal_parts *out)
{
    memset(out, 0, sizeof(*out));
    const char *at = text;
    int digit_count = 0;
    out->negative = at < end && *at == '-';
    at += out->negative;
    if (at == end || !is_digit(*at)) {
        return NULL;
    }
    at = *at == '0' ? at + 1 : scan_digits(at, end, false, &digit_count, out);
    if (end - at >= 2 && at[0] == '.' && is_digit(at[1])) {
        at = scan_digits(at + 1, end, true, &digit_count, out);
    }
    return scan_exponent(at, end, out);
}

// Rounds the first 19 digits if the remaining digits cannot change the result. Otherwise uses all digits.
static uint64_t round_decimal(const decimal_parts *parts)
{
    vrmi_scaled scaled;
    vrmi_scale(parts->mantissa, (int)parts->power, &scaled);
    const uint64_t low = round_to_double(&scaled);
    if (!parts->left_out) {
        return low;
    }
    vrmi_scale(parts->mantissa + 1, (int)parts->power, &scaled);
    if (low == round_to_double(&scaled)) {
        return low;
    }
    // A double, or the midpoint between two doubles, has at most 768 digits. So all further digits can be replaced by a
    // single 1 if any of them is not 0.
    char digits[VRMI_MAX_DIGITS];
    size_t count = 0;
    bool rest = false;
    int64_t power = parts->power + 19;
    for (const char *at = parts->digits; at < parts->digits_end; ++at) {
        if (*at == '.') {
            continue;
        }
        if (count < VRMI_MAX_DIGITS - 1) {
            digits[count++] = *at;
            --power;
        } else {
            rest = rest || *at != '0';
        }
    }
    if (rest) {
        digits[count++] = '1';
        --power;
    }
    vrmi_scale_digits(digits, count, (int)power, &scaled);
    return round_to_double(&scaled);
}

static const double exact_powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { PLAIN_DIGITS = 15 }; // any 15 digits give an integer below 2^53

// Parses the simple numbers that are most common in files: few digits, perhaps a point, no exponent. Returns 0 for
// other numbers.
static size_t parse_plain(const char *text, size_t length, double *out)
{
    uint64_t mantissa = 0;
    size_t at = length != 0 && text[0] == '-', digits = 0, fraction = 0;
    const size_t first = at;
    for (; at < length && is_digit(text[at]) && digits < PLAIN_DIGITS; ++at, ++digits) {
        mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
    }
    if (digits == 0 || (digits > 1 && text[first] == '0')) {
        return 0;
    }
    if (at + 1 < length && text[at] == '.' && is_digit(text[at + 1])) {
        for (++at; at < length && is_digit(text[at]) && digits < PLAIN_DIGITS; ++at, ++digits, ++fraction) {
            mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
        }
    }
    if (FLT_EVAL_METHOD != 0 || (at < length && (is_digit(text[at]) || text[at] == 'e' || text[at] == 'E'))) {
        return 0;
    }
    const double value =
        (double)mantissa / exact_powers[fraction]; // both operands are exact, so the result is rounded once (Clinger)
    *out = first != 0 ? -value : value;
    return at;
}

size_t vrmi_parse_double(const char *text, size_t length, double *out)
{
    const size_t plain = parse_plain(text, length, out);
    if (plain != 0) {
        return plain;
    }
    decimal_parts parts;
    const char *end = scan_number(text, text + length, &parts);
    if (end == NULL) {
        return 0;
    }
    double value;
    if (parts.mantissa == 0) {
        value = 0;
    } else if (FLT_EVAL_METHOD == 0 && !parts.left_out && parts.mantissa <= 1ull << 53 && parts.power >= -22 &&
               parts.power <= 22) {
        // Both operands are exact, so the result is rounded only once (Clinger).
        value = parts.power < 0 ? (double)parts.mantissa / exact_powers[-parts.power]
                                : (double)parts.mantissa * exact_powers[parts.power];
    } else if (parts.power > 310) {
        value = double_from_bits(0x7FFull << 52);
    } else if (parts.power < -345) {
        value = 0; // less than half of the smallest double, whatever the 19 digits are
    } else {
        value = double_from_bits(round_decimal(&parts));
    }
    *out = parts.negative ? -value : value;
    return (size_t)(end - text);
}

// --- printing ------------------------------------------------------------------------------------------------------

enum { LARGEST_DIGIT_COUNT = 18 };

// The number 0.d1d2d3... * 10^point.
typedef struct decimal_digits {
    char digits[LARGEST_DIGIT_COUNT];
    int count;
    int point;
} decimal_digits;

static void split_digits(uint64_t value, int power, decimal_digits *out)
{
    while (value % 10 == 0) {
        value /= 10;
        ++power;
    }
    char reversed[20];
    out->count = 0;
    for (; value != 0; value /= 10) {
        reversed[out->count++] = (char)('0' + value % 10);
    }
    for (int i = 0; i < out->count; ++i) {
        out->digits[i] = reversed[out->count - 1 - i];
    }
    out->point = out->count + power;
}

// Computes the integer part of value * 2^exponent * 10^power, which must be below 2^63. Returns true if the fraction is
// 0.
static bool scale_to_integer(uint64_t value, int exponent, int power, uint64_t *out)
{
    vrmi_scaled scaled;
    vrmi_scale(value, power, &scaled);
    const int drop = -(scaled.exponent + exponent);
    if (drop <= 0) {
        *out = scaled.bits << -drop;
        return !scaled.more;
    }
    *out = drop > 63 ? 0 : scaled.bits >> drop;
    return !scaled.more && drop <= 63 && scaled.bits << (64 - drop) == 0;
}

// Returns floor(log10(mantissa * 2^exponent)), or one less.
static int estimate_power(uint64_t mantissa, int exponent)
{
    int top = exponent - 1;
    for (; mantissa != 0; mantissa >>= 1) {
        ++top;
    }
    // 78913 / 2^18 approximates log10(2) well enough for exponents of this size. Negative products are also rounded
    // down.
    const int product = top * 78913;
    return product >= 0 ? product >> 18 : -((-product + (1 << 18) - 1) >> 18);
}

// Finds the shortest decimal that reads back as mantissa * 2^exponent: it lies between the midpoints to the two
// neighbours. Among several, the closest is chosen. `narrow` marks a power of two, whose lower neighbour is half as far
// away as the upper one.
static void shortest_digits(uint64_t mantissa, int exponent, bool narrow, decimal_digits *out)
{
    // With 18 digits, even the narrowest interval is more than 10 units wide. So at least one digit is always dropped,
    // and the last candidates can be compared as whole numbers.
    const int power = LARGEST_DIGIT_COUNT - 1 - estimate_power(mantissa, exponent);
    const bool even = mantissa % 2 == 0; // a midpoint reads back as the even neighbour
    uint64_t low, value, high;
    const bool low_exact = scale_to_integer(mantissa * 4 - (narrow ? 1 : 2), exponent - 2, power, &low);
    const bool value_exact = scale_to_integer(mantissa, exponent, power, &value);
    const bool high_exact = scale_to_integer(mantissa * 4 + 2, exponent - 2, power, &high);
    low += !(low_exact && even);
    high -= high_exact && !even;
    uint64_t unit = 1;
    int dropped = 0;
    while (high / (unit * 10) * (unit * 10) >= low) {
        unit *= 10;
        ++dropped;
    }
    const uint64_t below = value / unit * unit, above = below + unit;
    const uint64_t twice = (value - below) * 2;
    bool up = twice > unit || (twice == unit && (!value_exact || below / unit % 2 != 0));
    up = below < low || (up && above <= high);
    split_digits((up ? above : below) / unit, dropped - power, out);
}

// Writes plain digits from 1e-6 to below 1e21 and an exponent outside, as JavaScript does. Most readers of JSON expect
// that.
static void add_decimal(vrmi_text *text, bool negative, const decimal_digits *decimal)
{
    if (negative) {
        vrmi_text_add(text, "-", 1);
    }
    const size_t count = (size_t)decimal->count;
    if (decimal->point > 21 || decimal->point < -5) {
        vrmi_text_add(text, decimal->digits, 1);
        if (count > 1) {
            vrmi_text_add(text, ".", 1);
            vrmi_text_add(text, decimal->digits + 1, count - 1);
        }
        vrmi_text_add(text, "e", 1);
        vrmi_text_add_int(text, decimal->point - 1);
        return;
    }
    static const char zeros[] = "000000000000000000000";
    if (decimal->point <= 0) {
        vrmi_text_add(text, "0.", 2);
        vrmi_text_add(text, zeros, (size_t)-decimal->point);
        vrmi_text_add(text, decimal->digits, count);
        return;
    }
    const size_t point = (size_t)decimal->point;
    const size_t whole = point < count ? point : count;
    vrmi_text_add(text, decimal->digits, whole);
    vrmi_text_add(text, zeros, point - whole);
    if (whole < count) {
        vrmi_text_add(text, ".", 1);
        vrmi_text_add(text, decimal->digits + whole, count - whole);
    }
}

static void add_special(vrmi_text *text, bool negative, bool zero)
{
    vrmi_text_add_string(text, !zero ? "null" : negative ? "-0" : "0");
}

void vrmi_text_add_float(vrmi_text *text, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const bool negative = bits >> 31 != 0;
    const int biased = (int)(bits >> 23 & 0xFF);
    const uint32_t fraction = bits & 0x7FFFFFu;
    if (biased == 0xFF || (bits & 0x7FFFFFFFu) == 0) {
        add_special(text, negative, biased == 0);
        return;
    }
    decimal_digits decimal;
    const uint64_t mantissa = biased == 0 ? fraction : fraction | 1u << 23;
    shortest_digits(mantissa, (biased == 0 ? 1 : biased) - 150, fraction == 0 && biased > 1, &decimal);
    add_decimal(text, negative, &decimal);
}

// Returns false for 0, infinity and NaN.
static bool split_double(double value, bool *out_negative, uint64_t *out_mantissa, int *out_exponent, bool *out_narrow)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const int biased = (int)(bits >> 52 & 0x7FF);
    const uint64_t fraction = bits & ((1ull << 52) - 1);
    *out_negative = bits >> 63 != 0;
    *out_mantissa = biased == 0 ? fraction : fraction | 1ull << 52;
    *out_exponent = (biased == 0 ? 1 : biased) - 1075;
    *out_narrow = fraction == 0 && biased > 1;
    return biased != 0x7FF && *out_mantissa != 0;
}

void vrmi_text_add_double(vrmi_text *text, double value)
{
    bool negative, narrow;
    uint64_t mantissa;
    int exponent;
    if (!split_double(value, &negative, &mantissa, &exponent, &narrow)) {
        add_special(text, negative, mantissa == 0);
        return;
    }
    decimal_digits decimal;
    shortest_digits(mantissa, exponent, narrow, &decimal);
    add_decimal(text, negative, &decimal);
}

void vrmi_text_add_digits(vrmi_text *text, double value, int digits)
{
    bool negative, narrow;
    uint64_t mantissa;
    int exponent;
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    if (!split_double(value, &negative, &mantissa, &exponent, &narrow)) {
        add_special(text, negative, mantissa == 0);
        return;
    }
    uint64_t limit = 1;
    for (int i = 0; i < digits; ++i) {
        limit *= 10;
    }
    int power = digits - 1 - estimate_power(mantissa, exponent);
    uint64_t rounded;
    for (;; --power) {
        // Twice the value is computed, so that its lowest bit and the remainder decide the rounding. A tie goes to the
        // even digit.
        const bool exact = scale_to_integer(mantissa, exponent + 1, power, &rounded);
        const bool up = (rounded & 1) != 0 && (!exact || (rounded >> 1 & 1) != 0);
        rounded = (rounded >> 1) + up;
        if (rounded < limit) {
            break;
        }
    }
    decimal_digits decimal;
    split_digits(rounded, -power, &decimal);
    add_decimal(text, negative, &decimal);
}
