import java.io.FileReader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import weka.classifiers.Classifier;
import weka.core.Instances;
import weka.core.Utils;

/** Prints the share of right test rows of each fold, one line per classifier. */
public class WekaFolds {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new FileReader(args[0]));
        data.setClassIndex(data.numAttributes() - 1);
        List<String> lines = Files.readAllLines(Paths.get(args[1]));
        int[] fold = lines.stream().mapToInt(Integer::parseInt).toArray();
        int folds = 0;
        for (int f : fold) folds = Math.max(folds, f + 1);
        for (int a = 2; a < args.length; a++) {
            StringBuilder shares = new StringBuilder();
            for (int f = 0; f < folds; f++) shares.append(share(args[a], data, fold, f)).append(' ');
            System.out.println(shares);
        }
    }

    static double share(String words, Instances data, int[] fold, int f) throws Exception {
        Instances train = new Instances(data, 0), test = new Instances(data, 0);
        for (int i = 0; i < fold.length; i++) (fold[i] == f ? test : train).add(data.instance(i));
        String[] options = Utils.splitOptions(words);
        String name = options[0];
        options[0] = "";
        Classifier model = (Classifier) Utils.forName(Classifier.class, name, options);
        model.buildClassifier(train);
        int right = 0;
        for (int i = 0; i < test.numInstances(); i++)
            if (model.classifyInstance(test.instance(i)) == test.instance(i).classValue()) right++;
        return (double) right / test.numInstances();
    }
}
