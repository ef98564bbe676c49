// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_JSON_CASES_H
#define TESTS_JSON_CASES_H

// Texts that a reader of RFC 8259 must accept (y), must refuse (n) or may take either way (i), in the spirit of
// N. Seriot's "Parsing JSON is a Minefield"; the texts are our own. JSON_CASE(verdict, text).

#define JSON_CASES(X) \
    /* --- scalars --- */ \
    X(y, "0") \
    X(y, "-0") \
    X(y, "1") X(y, "-1") X(y, "10") X(y, "1234567890") X(y, "0.5") X(y, "-0.5") X(y, "1e1") X(y, "1E1") X(y, "1e+1") \
        X(y, "1e-1") X(y, "0e1") X(y, "0e+1") X(y, "0E-10") X(y, "1.5e300") X(y, "-0.0e-0") X(y, "123.456e78") \
            X(y, "1.0000000000000000000000000000000000000000000000000000000000000001") \
                X(y, "100000000000000000000000000000000000000000000000000") X(y, "true") X(y, "false") X(y, "null") \
                    X(y, "\"\"") X(y, "\"a\"") X(y, " 1") X(y, "1 ") X(y, "\t\n\r 1\t\n\r ") X(y, "[]") X(y, "{}") \
                        X(y, "\"\\u0000\"") X(n, "") X(n, " ") X(n, "\n") X(n, "00") X(n, "01") X(n, "-01") X(n, "-") \
                            X(n, "--1") X(n, "+1") X(n, "1.") X(n, ".5") X(n, "-.5") X(n, "1.e1") X(n, "1e") \
                                X(n, "1e+") X(n, "1E-") X(n, "1ee1") X(n, "1e1.5") X(n, "1e1e1") X(n, "0x10") \
                                    X(n, "1_000") X(n, "1 000") X(n, "1,5") X(n, "NaN") X(n, "-NaN") X(n, "Infinity") \
                                        X(n, "-Infinity") X(n, "inf") X(n, "nan") X(n, "1f") X(n, "0b1") X(n, "0o7") \
                                            X(n, "1.2.3") X(n, "-1x") X(n, "1-1") X(n, "\xEF\xBC\x91") X(n, "True") \
                                                X(n, "TRUE") X(n, "tru") X(n, "truee") X(n, "nul") X(n, "nulL") \
                                                    X(n, "fals") X(n, "undefined") X(n, "true false") X(n, "1 2") \
                                                        X(n, "'a'") X(n, "a") X(n, "`a`") X(n, "$") \
                                                            X(n, "-true") /* --- strings --- */ \
        X(y, "\"\\\"\"") X(y, "\"\\\\\"") X(y, "\"\\/\"") X(y, "\"/\"") X(y, "\"\\b\\f\\n\\r\\t\"") \
            X(y, "\"\\u0061\"") X(y, "\"\\uABCD\\uabcd\"") X(y, "\"\\uD834\\uDD1E\"") X(y, "\"\\ud83d\\ude00\"") \
                X(y, "\"\x7F\"") X(y, "\"\xC3\xA9\"") X(y, "\"\xE3\x82\xA2\"") X(y, "\"\xF0\x9F\x98\x80\"") \
                    X(y, "\"\xF4\x8F\xBF\xBF\"") X(y, "\"\xEF\xBB\xBF\"") X(y, "\"\xE2\x80\xA8\xE2\x80\xA9\"") \
                        X(y, "\"\xEF\xBF\xBE\"") X(y, "\"/* no comment */\"") X(y, "\"\\\\u0000\"") \
                            X(y, "\"\\\\\\\"\"") X(y, "\"a'b\"") X(y, "\"1234567\\\"890123456789\"") \
                                X(y, "\"\\u0022\"") X(n, "\"") X(n, "\"a") X(n, "\"\\\"") X(n, "\"\\") X(n, "\"\\\\") \
                                    X(n, "\"\\x41\"") X(n, "\"\\'\"") X(n, "\"\\a\"") X(n, "\"\\0\"") \
                                        X(n, "\"\\U0041\"") X(n, "\"\\u\"") X(n, "\"\\u1\"") X(n, "\"\\u12\"") \
                                            X(n, "\"\\u123\"") X(n, "\"\\u123g\"") X(n, "\"\\u 123\"") \
                                                X(n, "\"\\u-123\"") X(n, "\"\\u12") X(n, "\"\\uD834\\u12\"") \
                                                    X(n, "\"\\uD834\\uDD1\"") X(n, "\"\\ uabcd\"") X(n, "\"\n\"") \
                                                        X(n, "\"\t\"") X(n, "\"\x01\"") X(n, "\"\x1F\"") \
                                                            X(n, "\"abcdefgh\x0Aijklmnop\"") X(n, "\"\\\n\"") \
                                                                X(n, "\"a\"b") X(n, "\"a\" \"b\"") X(n, "\\u0022a\"") \
                                                                    X(n, "\"\\\xC3\xA9\"") X(n, "\xC3\xA9") \
                                                                        X(n, "\xE2\x80\x9C" \
                                                                             "a\xE2\x80\x9D") /* --- arrays --- */ \
        X(y, "[1]") X(y, "[1,2]") X(y, "[ 1 , 2 ]") X(y, "[[]]") X(y, "[[],[[]],{}]") X(y, "[\"\",null,true,false,0]") \
            X(y, "[\n]") X(y, "[1,null,null,2]") X(y, "[[[[[[[[[[1]]]]]]]]]]") X(y, "[\"]\"]") X(n, "[") X(n, "]") \
                X(n, "[1") X(n, "[1,") X(n, "[,]") X(n, "[,1]") X(n, "[1,]") X(n, "[1,,2]") X(n, "[1 2]") X(n, "[1]]") \
                    X(n, "[1}") X(n, "[\"a\"") X(n, "[\"a") X(n, "[1:2]") X(n, "[\"a\":1]") X(n, "[][]") X(n, "[],") \
                        X(n, "[-]") X(n, "[1.]") X(n, "[tru]") X(n, "[*]") X(n, "[1;2]") X(n, "[\x0C]") X(n, "[\x0B" \
                                                                                                             "1]") \
                            X(n, "[\xC2\xA0" \
                                 "1]") X(n, "[1]x") X(n, "[1]#") X(n, "[/*a*/1]") X(n, "[1] // a") \
                                X(n, "[\xE2\x81\xA0]") X(n, "((1))") X(n, "[[1]") X(n, "[{]") X(n, "[\"x\", truth]") \
                                    X(n, "[1,\n1\n,1") X(n, "[-2.]") X(n, "[2.e3]") X(n, "[0.e1]") X(n, "[1.0e]") \
                                        X(n, "[1.0e-]") X(n, "[9.e+]") X(n, "[-foo]") X(n, "[1+2]") X(n, "[0x1]") \
                                            X(n, "[-012]") /* --- objects --- */ \
        X(y, "{\"a\":1}") X(y, "{\"a\" : 1 , \"b\" : 2}") X(y, "{\"\":0}") X(y, "{\"a\":{}}") X(y, "{\"a\":[]}") \
            X(y, "{\"\\u0061\":1}") X(y, "{\"a\\u0000b\":1}") X(y, "{\"a\":1,\"a\":2}") X( \
                y, "{\"a\":\"b\",\"a\":\"b\"}") X(y, "{\"x\":[{\"id\":\"a\"}],\"id\":\"b\"}") \
                X(y, "{\"\xE3\x82\xA2\":\"\xE3\x82\xA2\"}") X(y, "{\n\"a\":\n1\n}") X(n, "{") X(n, "}") X(n, "{\"a\"") \
                    X(n, "{\"a\":") X(n, "{\"a\":1") X(n, "{\"a\":1,") X(n, "{\"a\":1,}") X(n, "{,}") X(n, "{\"a\"}") \
                        X(n, "{\"a\",\"b\"}") X(n, "{\"a\" 1}") X(n, "{\"a\"::1}") X(n, "{\"a\":1 \"b\":2}") X( \
                            n, "{a:1}") X(n, "{'a':1}") X(n, "{1:1}") X(n, "{null:1}") X(n, "{[]:1}") X(n, "{:1}") \
                            X(n, "{\"a\":1]") X(n, "{\"a\":1}}") X(n, "{\"a\":1};") X(n, "{\"a\":}") X(n, "{\"a\":,}") \
                                X(n, "{\"a\":1,,\"b\":2}") X(n, "{\"a\":1:2}") X(n, "{{}:1}") X(n, "{\"a\":1,\"b\"}") \
                                    X(n, "{\"a\":1}{}") X(n, "{\"a\":/**/1}") X(n, "{\"a\":1}//") X(n, "{\"a\":=1}") \
                                        X(n, "{\"a") X(n, "{\"a\":\"b}") X(n, "{\xF0\x9F\x87\xA8}") X( \
                                            n, "{\"x\",null}") X(n, "{\"\\u12\":1}") X(n, \
                                            "{\"\n\":1}") /* --- either way: libvrm reads these, with a finding --- */ \
        X(i, "\xEF\xBB\xBF{}") X(i, "\"\\uD800\"") X(i, "\"\\uDC00\"") X(i, "\"\\uDC00\\uD800\"") X(i, "\"\\uD800x\"") \
            X(i, "\"\\uD800\\n\"") X(i, "\"\\uD800\\uD800\\uDC00\"") X(i, "\"\xFF\"") X(i, "\"\xC0\x80\"") \
                X(i, "\"\x80\"") X(i, "\"\xED\xA0\x80\"") X(i, "\"\xF4\x90\x80\x80\"") X(i, "\"\xE3\x82\"") \
                    X(i, "\"\xC3\"") X(i, "\"\xF8\x88\x80\x80\x80\"") X(i, "{\"\xFF\":1}") \
                        X(i, "\"\xE0\x80\xAF\"") /* --- bytes that are no JSON at all --- */ \
        X(n, "\xEF\xBB\xBF") X(n, "\xEF\xBB{}") X(n, "\xFF\xFE[\x01]") X(n, "\xFE\xFF") X(n, "<html>") X(n, "glTF") \
            X(n, "#\n{}") X(n, "{}\x01") X(n, "\xEF\xBB\xBF\xEF\xBB\xBF{}") X(n, "{} \xEF\xBB\xBF") X(n, "\x1A") \
                X(n, "\\") X(n, "?")

#endif
