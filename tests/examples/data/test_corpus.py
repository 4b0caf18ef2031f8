"""The corpus builder's pieces, each on tiny inputs."""
import os
import tempfile
import unittest

import fake_debian
from corpus import filters, prose, splits
from corpus.errors import CorpusError
from corpus.sources import (
    dictionary,
    gnome_help,
    libreoffice_help,
    message_catalogs,
    novels,
    package_descriptions,
    political_faq,
)
from corpus.text import align, sentences, squeeze

PACKAGES = os.path.join(fake_debian.INPUTS, "packages")
LISTS = os.path.join(fake_debian.INPUTS, "lists")


class TextTest(unittest.TestCase):
    def test_squeeze_leaves_single_spaces(self):
        self.assertEqual(squeeze("  a\u00a0b\n\t c\u00adde "), "a b cde")

    def test_sentences_end_at_marks_before_capitals(self):
        self.assertEqual(
            sentences('Stop. Look! "Why?" (It moves: A car.)'),
            ["Stop.", "Look!", '"Why?', "(It moves:", "A car.)"],
        )

    def test_abbreviations_end_no_sentence(self):
        self.assertEqual(sentences("Siehe z.B. Kapitel 2. Ende."),
                         ["Siehe z.B. Kapitel 2.", "Ende."])
        self.assertEqual(sentences("Ask J. Smith. He knows."), ["Ask J. Smith.", "He knows."])

    def test_aligns_equal_numbers_of_sentences(self):
        self.assertEqual(align("One day. Two.", "Ein Tag. Zwei."),
                         [("One day.", "Ein Tag."), ("Two.", "Zwei.")])

    def test_keeps_the_whole_pair_otherwise(self):
        self.assertEqual(align("One day. Two.", "Ein Tag, zwei."),
                         [("One day. Two.", "Ein Tag, zwei.")])
        long = "Ein sehr, sehr langer Satz, der von nichts handelt. Zwei."
        self.assertEqual(align("One day. Two.", long), [("One day. Two.", long)])


class FiltersTest(unittest.TestCase):
    def test_keeps_a_translation(self):
        self.assertTrue(filters.keep("Open the old file 12.", "Die alte Datei 12 öffnen."))

    def test_refuses(self):
        good = "Die alte Datei öffnen."
        cases = {
            "equal sides": ("Open the file.", "Open the file."),
            "too short": ("Open it", good),
            "too long": ("word " * 101, "Wort " * 101),
            "unlike lengths": ("Open the old file.", "Wort " * 14),
            "broken encoding": ("Open the \ufffd old file.", good),
            "an address": ("Open http://example.org/ now please.", good),
            "code": ("Open the old {file}.", good),
            "German code": ("Open the old file.", "Die alte {Datei} öffnen."),
            "a tag": ("Open the old <b>file.", good),
            "a variable": ("Open the old $file.", good),
            "a directive": ("Open the old file %s.", good),
            "an option": ("Open the old file --now.", good),
            "mostly signs": ("Open + + + + + + + + + it", good),
            "no lower case": ("OPEN THE OLD FILE", good),
            "no German lower case": ("Open the old file.", "DIE ALTE DATEI ÖFFNEN."),
            "unlike numbers": ("Open the old file 12.", "Die alte Datei 13 öffnen."),
            "untranslated": ("Open the alte Datei now", "Open the alte Datei jetzt"),
        }
        for why, pair in cases.items():
            with self.subTest(why):
                self.assertFalse(filters.keep(*pair))


class SplitsTest(unittest.TestCase):
    PAIRS = [(f"sentence number {'x' * n}", f"Satz Nummer {'x' * n}") for n in range(1000)]

    def test_order_and_repetition_do_not_matter(self):
        self.assertEqual(splits.split(self.PAIRS), splits.split(self.PAIRS[::-1] + self.PAIRS))

    def test_every_source_is_in_one_split(self):
        found = splits.split(self.PAIRS)
        self.assertEqual(sorted(sum(found.values(), [])), sorted(self.PAIRS))
        self.assertEqual({name: len(rows) for name, rows in found.items()},
                         {"train": 962, "valid": 22, "test": 16})

    def test_sources_that_differ_in_case_or_digits_are_one(self):
        rows = splits.split([("Page 1", "Seite 1"), ("page 22", "Blatt 22")])
        self.assertEqual(sum(map(len, rows.values())), 1)

    def test_rows_of_one_key_are_in_one_split(self):
        rows = [(str(n // 10), "label", f"text {n}") for n in range(1000)]
        found = splits.by_key(rows, held_out=20, parts=100)
        self.assertEqual(sum(map(len, found.values())), 1000)
        for split in found.values():
            tens = [int(text.split()[1]) // 10 for _, text in split]
            self.assertTrue(all(tens.count(ten) == 10 for ten in tens))
        self.assertTrue(all(found.values()))

    def test_texts_that_differ_in_case_or_punctuation_are_one(self):
        rows = [("k", "a", "One, two."), ("l", "b", "one TWO"), ("m", "b", "one 2")]
        self.assertEqual(list(splits.distinct(rows)), [rows[0], rows[2]])

    def test_writes_complete_files_only(self):
        with tempfile.TemporaryDirectory() as folder:
            splits.write(folder, {"train": [("ä", "b")], "test": []}, {"train": "a", "test": "b"})
            self.assertEqual(sorted(os.listdir(folder)), ["a", "b"])
            with open(os.path.join(folder, "a"), "rb") as file:
                self.assertEqual(file.read(), "ä\tb\n".encode())

    def test_an_unwritable_folder_is_a_clear_error(self):
        with self.assertRaisesRegex(CorpusError, "cannot write the corpus to '/nowhere': No such"):
            splits.write("/nowhere", {name: [] for name in splits.NAMES}, splits.TABLES)


class ProseTest(unittest.TestCase):
    def test_sentences_keep_their_quotes(self):
        self.assertEqual(
            prose.sentences('She said: "Why?" Mr. Smith  (of No. 5) left.\n"Stop!" he said. So.'),
            ['She said: "Why?"', "Mr. Smith (of No. 5) left.", '"Stop!" he said.', "So."],
        )

    def test_prose_has_words(self):
        self.assertTrue(prose.is_prose("This is a sentence."))
        for text in ("Two words.", "word " * 121, "a = 1; b = 2; c = [1, 2, 3]", "A \ufffd sign"):
            self.assertFalse(prose.is_prose(text), text)

    def test_documents_are_long_and_new(self):
        page = ["One long line. Another long line.", "A third long line."]
        again = ["ONE LONG LINE. A fourth long line. A fifth long line."]
        self.assertEqual(
            list(prose.documents([[page, again], [["And one more line."], page]])),
            [["One long line.", "Another long line.", "A third long line."]],
        )


class SourcesTest(unittest.TestCase):
    def test_libreoffice_help(self):
        found = libreoffice_help.pairs(os.path.join(PACKAGES, "libreoffice-help-en-us"),
                                       os.path.join(PACKAGES, "libreoffice-help-de"))
        self.assertEqual(list(found), [
            ("Printing a long letter", "Einen langen Brief drucken"),
            ("Choose a printer first.", "Wählen Sie zuerst einen Drucker."),
            ("Then press the green button twice.", "Drücken Sie dann zweimal den grünen Knopf."),
            ("Hold the control key down.", "Halten Sie die Strg-Taste gedrückt."),
        ])

    def test_documents(self):
        pages = libreoffice_help.documents(os.path.join(PACKAGES, "libreoffice-help-en-us"))
        self.assertEqual(list(pages), [[
            "Choose a printer first. Then press the green button twice.",
            "Hold the control key down.",
            "This paragraph has no translation at all.",
        ]])
        described = package_descriptions.documents(
            os.path.join(LISTS, "mirror_dists_stable_main_i18n_Translation-en"))
        self.assertEqual(list(described), [
            ["A program that greets every user of the machine. It can be changed.", "It offers:",
             "a warm welcome", "in many tongues"],
            ["Not one line."],
            ["Moves pieces of wood over a board.", "Has no sound."],
            ["Moves smaller pieces of wood over the board."],
            ["It plays slowly, or as fast as you like."],
            [],
        ])
        faq = political_faq.documents(os.path.join(PACKAGES, "anarchism"))
        self.assertEqual([list(map(squeeze, section)) for section in faq if section], [
            ["Nobody reads the first page of a book. They turn to the last one!",
             "Quoted words have a mark before each line."],
            ["Another section begins here."],
        ])

    def test_documents_of_packed_files(self):
        with tempfile.TemporaryDirectory() as where:
            fake_debian.make("dict-foldoc", where)
            entries = list(dictionary.documents(where))
            self.assertEqual(list(map(squeeze, entries[-1])),
                             ["A round fruit of a tree. It falls down.", "People eat it raw."])
            fake_debian.make("r-cran-janeaustenr", where)
            self.assertEqual([chapter for chapter in novels.documents(where) if chapter], [
                ["It was a very long walk.\nNobody came.", '"Why?" She left.'],
                ["They sat down."],
                ["They rose."],
            ])

    def test_gnome_help(self):
        pages = os.path.join(PACKAGES, "gnome-user-docs/usr/share/help")
        found = gnome_help.pairs(os.path.join(pages, "C"), os.path.join(pages, "de"))
        self.assertEqual(list(found), [
            ("Make the sound louder", "Die Lautstärke erhöhen"),
            ("Open the Activities overview and start typing a word.",
             "Öffnen Sie die Übersicht und fangen Sie an zu schreiben."),
            ("Only the innermost block counts here.", "Nur der innerste Abschnitt zählt hier."),
        ])

    def test_package_descriptions(self):
        found = package_descriptions.pairs(
            os.path.join(LISTS, "mirror_dists_stable_main_i18n_Translation-en"),
            os.path.join(LISTS, "mirror_dists_stable_main_i18n_Translation-de"))
        self.assertEqual(list(found), [
            ("friendly greeting for everyone", "freundlicher Gruß an alle"),
            ("A program that greets every user of the machine.",
             "Ein Programm, das jeden Benutzer des Rechners begrüßt."),
            ("It can be changed.", "Man kann es ändern."),
            ("It offers:", "Es bietet:"),
            ("a warm welcome", "ein herzliches Willkommen"),
            ("in many tongues", "in vielen Sprachen"),
        ])

    def test_message_catalogs(self):
        expected = [
            ("One file was lost today", "Eine Datei ging heute verloren"),
            ("Close the old window", "Das alte Fenster schließen"),
        ]
        for order in "<>":
            with self.subTest(order), tempfile.TemporaryDirectory() as root:
                folder = os.path.join(root, "de", "LC_MESSAGES")
                os.makedirs(folder)
                with open(os.path.join(folder, "app.mo"), "wb") as file:
                    file.write(fake_debian.catalog(fake_debian.stored_catalog(), order))
                with open(os.path.join(folder, "not-a-catalog.mo"), "wb") as file:
                    file.write(b"something else")
                self.assertEqual(list(message_catalogs.pairs(root)), expected)


if __name__ == "__main__":
    unittest.main()
