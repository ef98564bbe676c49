// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/text.h"
#include "base/utf8.h"
#include "test.h"
#include "test_allocator.h"
#include "test_random.h"

// The C library's strtod and printf are the independent reference; the tests run in the C locale.

static double double_from(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float float_from(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static const char *double_text(double value)
{
    static char buffer[64];
    vrmi_text text = {.data = buffer, .capacity = sizeof(buffer)};
    vrmi_text_add_double(&text, value);
    return buffer;
}

static const char *float_text(float value)
{
    static char buffer[64];
    vrmi_text text = {.data = buffer, .capacity = sizeof(buffer)};
    vrmi_text_add_float(&text, value);
    return buffer;
}

static const char *digits_text(double value, int digits)
{
    static char buffer[64];
    vrmi_text text = {.data = buffer, .capacity = sizeof(buffer)};
    vrmi_text_add_digits(&text, value, digits);
    return buffer;
}

static double parse(const char *text)
{
    double value = -1;
    CHECK_INT(vrmi_parse_double(text, strlen(text), &value), strlen(text));
    return value;
}

static void whole_numbers(void)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_uint(&text, 0);
    vrmi_text_add(&text, " ", 1);
    vrmi_text_add_uint(&text, UINT64_MAX);
    vrmi_text_add(&text, " ", 1);
    vrmi_text_add_int(&text, INT64_MIN);
    vrmi_text_add(&text, " ", 1);
    vrmi_text_add_int(&text, -1);
    CHECK_STRING(text.data, "0 18446744073709551615 -9223372036854775808 -1");
    vrmi_text_free(&text);
}

static void formats(void)
{
    char buffer[200];
    CHECK_STRING(vrmi_format(buffer, sizeof(buffer), "%s|%d|%u|%llu|%lld|%x|%c|%%|%g|%.*s|%zu", "text", -5, 4000000000u,
                     18446744073709551615ull, -9000000000000000000ll, 0xBEEFu, 'z', 0.1, 3, "abcdef", (size_t)77),
        "text|-5|4000000000|18446744073709551615|-9000000000000000000|beef|z|%|0.1|abc|77");
    CHECK_STRING(vrmi_format(buffer, sizeof(buffer), "%s", ""), "");
    CHECK_STRING(vrmi_format(buffer, 4, "abcdef"), "abc");
    CHECK_STRING(vrmi_format(buffer, 1, "abc"), "");
    // A character that does not fit is left out as a whole.
    CHECK_STRING(vrmi_format(buffer, 4, "a\xE3\x82\xA2"), "a");
    CHECK_STRING(vrmi_format(buffer, 5, "a\xE3\x82\xA2"), "a\xE3\x82\xA2");
    CHECK_STRING(vrmi_format(buffer, 6, "\xE3\x82\xA2\xF0\x9F\x98\x80"), "\xE3\x82\xA2");
    buffer[0] = 'x';
    vrmi_format(buffer, 0, "abc");
    CHECK_INT(buffer[0], 'x');
}

static void text_survives_without_memory(void)
{
    for (uint64_t fail_at = 0; fail_at < 5; ++fail_at) {
        test_allocator state;
        const vrm_allocator allocator = test_allocator_make(&state);
        state.fail_at = fail_at;
        vrmi_text text;
        vrmi_text_init(&text, &allocator);
        for (int i = 0; i < 100; ++i) {
            vrmi_text_format(&text, "%d,", i);
        }
        CHECK(text.failed == (fail_at < 4));
        CHECK(text.data == NULL || strlen(text.data) == text.size);
        CHECK(fail_at == 0 || strncmp(text.data, "0,1,2,3,4,5,", 12) == 0);
        vrmi_text_free(&text);
        CHECK_INT(state.live_blocks, 0);
        CHECK_INT(state.wrong, 0);
    }
}

static void json_strings(void)
{
    static const char raw[] = "q\" b\\ /\b\f\n\r\t\x01\x1F\x7F \xC3\xA9 \xE3\x82\xA2 \xF0\x9F\x98\x80";
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_json_string(&text, raw, sizeof(raw) - 1);
    CHECK_STRING(
        text.data, "\"q\\\" b\\\\ /\\b\\f\\n\\r\\t\\u0001\\u001f\x7F \xC3\xA9 \xE3\x82\xA2 \xF0\x9F\x98\x80\"");
    text.size = 0;
    vrmi_text_add_json_string(&text, "a\0b", 3);
    CHECK_STRING(text.data, "\"a\\u0000b\"");
    text.size = 0;
    vrmi_text_add_json_string(&text, NULL, 0);
    CHECK_STRING(text.data, "\"\"");
    text.size = 0;
    vrmi_text_add_json_string(
        &text, "x\xC0\xAFy\xFFz\xE3\x82", 8); // an overlong form, an invalid lead byte, a truncated character
    CHECK_STRING(text.data, "\"x\xEF\xBF\xBD\xEF\xBF\xBDy\xEF\xBF\xBDz\xEF\xBF\xBD\"");
    vrmi_text_free(&text);
}

// Encodes and decodes every code point, and compares with the ranges of RFC 3629.
static void utf8(void)
{
    for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
        char bytes[4];
        bool valid;
        const size_t length = vrmi_utf8_encode(c, bytes);
        const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        const size_t expected = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        if (length != expected || (vrmi_utf8_next(bytes, length, &valid) == length) == surrogate ||
            valid == surrogate || (length > 1 && (vrmi_utf8_next(bytes, length - 1, &valid), valid))) {
            printf("U+%X\n", c);
            CHECK(false);
            break;
        }
    }
    // The maximal subparts in table 3-8 of the Unicode standard: 61 F1 80 80 E1 80 C2 62 80 63 80 BF 64.
    static const char example[] = "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64";
    static const size_t lengths[] = {1, 3, 2, 1, 1, 1, 1, 1, 1, 1};
    size_t at = 0;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); ++i) {
        bool valid;
        const bool letter = example[at] >= 'a' && example[at] <= 'd';
        CHECK_INT(vrmi_utf8_next(example + at, sizeof(example) - 1 - at, &valid), lengths[i]);
        CHECK_INT(valid, letter);
        at += lengths[i];
    }
    CHECK_INT(at, sizeof(example) - 1);
    bool valid;
    CHECK_INT(vrmi_utf8_next("\xF4\x90\x80\x80", 4, &valid), 1); // above U+10FFFF
    CHECK(!valid);
}

static void known_numbers(void)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.0, "0"}, {-0.0, "-0"}, {0.1, "0.1"}, {1e-7, "1e-7"}, {3, "3"}, {1e21, "1e21"}, {100, "100"},
        {1e20, "100000000000000000000"}, {1.5e300, "1.5e300"}, {5e-324, "5e-324"}, {1e-6, "0.000001"},
        {1.25e-6, "0.00000125"}, {-123.456, "-123.456"}, {1e23, "1e23"}, {9007199254740993.0, "9007199254740992"},
        {DBL_MAX, "1.7976931348623157e308"}, {DBL_MIN, "2.2250738585072014e-308"},
        {2.2250738585072011e-308, "2.225073858507201e-308"}, {5.684341886080801e-14, "5.684341886080801e-14"},
        {123456789012345680.0, "123456789012345680"}, {0.30000000000000004, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        CHECK_STRING(double_text(rows[i].value), rows[i].text);
        CHECK(parse(rows[i].text) == rows[i].value);
    }
    CHECK_STRING(double_text((double)INFINITY), "null");
    CHECK_STRING(double_text((double)NAN), "null");
    CHECK_STRING(float_text(INFINITY), "null");
    CHECK_STRING(float_text(0.1f), "0.1");
    CHECK_STRING(float_text(-0.0f), "-0");
    CHECK_STRING(float_text(16777216.0f), "16777216");
    CHECK_STRING(float_text(FLT_MAX), "3.4028235e38");
    CHECK_STRING(float_text(FLT_MIN), "1.1754944e-38");
    CHECK_STRING(float_text(float_from(1)), "1e-45");
    CHECK_STRING(float_text(0.33333334f), "0.33333334");
}

static void rounded_numbers(void)
{
    CHECK_STRING(digits_text(9.996, 3), "10");
    CHECK_STRING(digits_text(0.00012345, 2), "0.00012");
    CHECK_STRING(digits_text(123456, 2), "120000");
    CHECK_STRING(digits_text(0.5, 1), "0.5");
    CHECK_STRING(digits_text(2.5, 1), "2"); // exact ties go to even
    CHECK_STRING(digits_text(3.5, 1), "4");
    CHECK_STRING(digits_text(0, 3), "0");
    CHECK_STRING(digits_text(1.0 / 3, 100), "0.33333333333333331");
    CHECK_STRING(digits_text(1.0 / 3, 0), "0.3");
    test_random random = test_random_make(4);
    for (int i = 0; i < 100000 / TEST_SHARE; ++i) {
        const double value = double_from(test_random_bits(&random));
        const int digits = 1 + (int)test_random_below(&random, 17);
        char expected[64];
        snprintf(expected, sizeof(expected), "%.*e", digits - 1, value);
        if (isfinite(value) && strtod(digits_text(value, digits), NULL) != strtod(expected, NULL)) {
            printf("%.17g with %d digits\n", value, digits);
            CHECK_STRING(digits_text(value, digits), expected);
            break;
        }
    }
}

static void numbers_end_where_json_ends(void)
{
    static const struct {
        const char *text;
        size_t consumed;
        double value;
    } rows[] = {{"", 0, 0}, {"-", 0, 0}, {".5", 0, 0}, {"+1", 0, 0}, {"x", 0, 0}, {"NaN", 0, 0}, {"Infinity", 0, 0},
        {"1.", 1, 1}, {"1.x", 1, 1}, {"01", 1, 0}, {"1e", 1, 1}, {"1e+", 1, 1}, {"1e-x", 1, 1}, {"1,2", 1, 1},
        {"-0", 2, 0}, {"1e5 ", 3, 1e5}, {"1E+05", 5, 1e5}, {"0x10", 1, 0}, {"12e-1e", 5, 1.2}, {"1.50.", 4, 1.5}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        double value = 0;
        CHECK_INT(vrmi_parse_double(rows[i].text, strlen(rows[i].text), &value), rows[i].consumed);
        CHECK(value == rows[i].value);
    }
    double value;
    CHECK_INT(vrmi_parse_double("123", 2, &value), 2); // the number ends at the given length, not at a terminator
    CHECK(value == 12);
    CHECK(parse("-0") == 0 && signbit(parse("-0")));
}

static void hard_numbers(void)
{
    CHECK(isinf(parse("1e400")) && isinf(parse("1e999999999999999999999")));
    CHECK(parse("-1e400") < -DBL_MAX);
    CHECK(parse("1e-400") == 0 && parse("0e999999999999") == 0 && parse("1e-99999999999999999999") == 0);
    CHECK(parse("1.7976931348623158e308") == DBL_MAX);
    CHECK(isinf(parse("1.7976931348623159e308"))); // above the midpoint to the next power of two
    CHECK(parse("2.4703282292062327e-324") == 0);  // below half of the smallest number
    CHECK(parse("2.4703282292062329e-324") == 5e-324);
    CHECK(parse("9007199254740993") == 9007199254740992.0); // a tie
    CHECK(parse("9007199254740993.00000000000000000000000000000000000000000001") == 9007199254740994.0);
    CHECK(parse("9007199254740992.99999999999999999999999999999999999999999999") == 9007199254740992.0);
    // Long numbers: 1 with a thousand zeros before and after the point.
    char text[3000] = "0.";
    memset(text + 2, '0', 1000);
    strcpy(text + 1002, "123e1001");
    CHECK(parse(text) == 1.23);
    memset(text, '0', 1000);
    text[0] = '7';
    strcpy(text + 1000, "e-1000");
    CHECK(parse(text) == 0.7);
    // The midpoint between 1 and its upper neighbour: 1 + 2^-53 with all 53 decimals, then with one more digit after
    // 900 zeros.
    strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
    CHECK(parse(text) == 1);
    memset(text + 55, '0', 900);
    strcpy(text + 55 + 900, "1");
    CHECK(parse(text) == 1 + DBL_EPSILON);
    // The smallest and the largest numbers with all their digits (5e-324 has 751).
    snprintf(text, sizeof(text), "%.1074f", 5e-324);
    CHECK(parse(text) == 5e-324);
    snprintf(text, sizeof(text), "%.1074f", DBL_MIN);
    CHECK(parse(text) == DBL_MIN);
    snprintf(text, sizeof(text), "%.0f", DBL_MAX);
    CHECK(parse(text) == DBL_MAX);
}

// Returns the smallest number of digits with which printf's text reads back as `value`.
static int shortest_of_printf(double value)
{
    char text[64];
    for (int digits = 1; digits < 17; ++digits) {
        snprintf(text, sizeof(text), "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value) {
            return digits;
        }
    }
    return 17;
}

static int shortest_of_printf_float(float value)
{
    char text[64];
    for (int digits = 1; digits < 9; ++digits) {
        snprintf(text, sizeof(text), "%.*e", digits - 1, (double)value);
        if (strtof(text, NULL) == value) {
            return digits;
        }
    }
    return 9;
}

static int significant_digits(const char *text)
{
    int count = 0, zeros = 0, seen = 0;
    for (; *text != '\0' && *text != 'e'; ++text) {
        if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
            seen = 1;
        } else if (*text == '0') {
            zeros += seen;
        }
    }
    return count;
}

static double random_double(test_random *random, int i)
{
    uint64_t bits = test_random_bits(random);
    switch (i & 7) {
    case 0: // subnormal
        return double_from(bits & ~(0x7FFull << 52));
    case 1: // a power of two
        return double_from(bits & 0xFFFull << 52);
    case 2: // next to one
        return double_from((bits & 0xFFFull << 52) + (bits % 3 == 0 ? 1u : UINT64_MAX));
    case 3: // a float
        return (double)float_from((uint32_t)bits);
    case 4: // few decimals
        return (double)(int64_t)(bits % 2000000) * 0.001 - 1000;
    case 5: // between 2^-23 and 2^27
        return double_from((bits & ~(0x7FFull << 52)) | (1000 + bits % 50) << 52);
    default:
        return double_from(bits);
    }
}

static void random_numbers_there_and_back(void)
{
    test_random random = test_random_make(1);
    for (int i = 0; i < 1000000 / TEST_SHARE; ++i) {
        const double value = random_double(&random, i);
        if (!isfinite(value)) {
            continue;
        }
        const char *text = double_text(value);
        double back;
        const size_t length = strlen(text);
        if (vrmi_parse_double(text, length, &back) != length || back != value || strtod(text, NULL) != value) {
            printf("%.17g became %s\n", value, text);
            CHECK(false);
            return;
        }
        // Checks some of the numbers slowly: fewer digits must not be enough.
        if (i % 16 < 8 && i % 5 == 0 && value != 0 && significant_digits(text) > shortest_of_printf(value)) {
            printf("%s has more digits than %.*e\n", text, shortest_of_printf(value) - 1, value);
            CHECK(false);
            return;
        }
    }
}

static void random_texts_read_like_strtod(void)
{
    test_random random = test_random_make(2);
    for (int i = 0; i < 300000 / TEST_SHARE; ++i) {
        char text[64];
        int size;
        if (i % 2 == 0) { // rounded to few digits, so just above or below a double
            size = snprintf(
                text, sizeof(text), "%.*e", (int)test_random_below(&random, 40), random_double(&random, i / 2));
        } else {
            size = snprintf(text, sizeof(text), "%llu.%llue%d", (unsigned long long)test_random_bits(&random),
                (unsigned long long)test_random_bits(&random), (int)test_random_below(&random, 700) - 370);
        }
        double value;
        if (text[size - 1] < '0' || text[size - 1] > '9') {
            continue; // inf, nan
        }
        if (vrmi_parse_double(text, (size_t)size, &value) != (size_t)size || value != strtod(text, NULL)) {
            printf("%s was read as %.17g\n", text, value);
            CHECK(false);
            return;
        }
    }
}

// The exact midpoint between two doubles, and its two neighbours, which differ in the last of 800 digits.
static void middles_read_like_strtod(void)
{
    test_random random = test_random_make(3);
    for (int i = 0; i < 3000 / TEST_SHARE; ++i) {
        uint64_t bits = test_random_bits(&random) & INT64_MAX;
        // The midpoint is exact as a long double only if that type is wider than double. Otherwise nothing is tested.
        const double low = double_from(bits), high = double_from(bits + 1);
        if (!isfinite(high) || LDBL_MANT_DIG < 64) {
            continue;
        }
        char text[1200];
        int size = snprintf(text, sizeof(text), "%.780Le", ((long double)low + (long double)high) / 2);
        double value;
        for (int last = 0; last < 3; ++last) {
            char *digit = strchr(text, 'e') - 1;
            *digit = "019"[last];
            if (vrmi_parse_double(text, (size_t)size, &value) != (size_t)size || value != strtod(text, NULL)) {
                printf("middle of %.17g and %.17g\n", low, high);
                CHECK(false);
                return;
            }
        }
    }
}

static void random_floats_there_and_back(void)
{
    test_random random = test_random_make(5);
    for (uint32_t i = 0; i < 500000 / TEST_SHARE; ++i) {
        const float value = float_from(i < 2048 ? i << 20 | (i & 1) : (uint32_t)test_random_bits(&random));
        if (!isfinite(value)) {
            continue;
        }
        const char *text = float_text(value);
        double back;
        const size_t length = strlen(text);
        // Reads the float through a double, as JSON readers do.
        if (vrmi_parse_double(text, length, &back) != length || (float)back != value || strtof(text, NULL) != value ||
            (i % 8 == 0 && value != 0 && significant_digits(text) > shortest_of_printf_float(value))) {
            printf("%.9g became %s\n", (double)value, text);
            CHECK(false);
            return;
        }
    }
}

// A number scaled as 64 bits and scaled as digits gives the same result, for all powers that both support.
static void scaling_has_one_answer(void)
{
    test_random random = test_random_make(6);
    for (int power = -400; power <= 350; ++power) {
        for (int i = 0; i < 20; ++i) {
            const uint64_t value = (test_random_bits(&random) >> test_random_below(&random, 64)) | 1;
            char digits[24];
            const int count = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
            vrmi_scaled a, b;
            vrmi_scale(value, power, &a);
            vrmi_scale_digits(digits, (size_t)count, power, &b);
            CHECK(a.bits == b.bits && a.exponent == b.exponent && a.more == b.more);
            CHECK(a.bits >> 63 != 0);
        }
    }
}

static void strings(void)
{
    const vrm_string string = vrmi_string("abc");
    CHECK_INT(string.length, 3);
    CHECK(vrmi_string_equal(string, "abc") && !vrmi_string_equal(string, "ab") && !vrmi_string_equal(string, "abd"));
    const vrm_string empty = {NULL, 0};
    CHECK(vrmi_string_equal(empty, "") && !vrmi_string_equal(empty, "a"));
}

static const test_case cases[] = {{"whole_numbers", whole_numbers}, {"formats", formats},
    {"text_survives_without_memory", text_survives_without_memory}, {"json_strings", json_strings}, {"utf8", utf8},
    {"known_numbers", known_numbers}, {"rounded_numbers", rounded_numbers},
    {"numbers_end_where_json_ends", numbers_end_where_json_ends}, {"hard_numbers", hard_numbers},
    {"random_numbers_there_and_back", random_numbers_there_and_back},
    {"random_texts_read_like_strtod", random_texts_read_like_strtod},
    {"middles_read_like_strtod", middles_read_like_strtod},
    {"random_floats_there_and_back", random_floats_there_and_back}, {"scaling_has_one_answer", scaling_has_one_answer},
    {"strings", strings}};

RUN_TESTS(cases)
